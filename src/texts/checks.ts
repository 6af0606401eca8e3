import { t } from '@vscode/l10n';
import type { NamedStream } from '../api/types.ts';
import { type AddressFault, type CheckedUrl, checkOwnAddress } from '../model/addresses.ts';
import { sentenceOfCredentials, sentenceOfUnencrypted } from '../model/connection/baseUrl.ts';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import { type CheckContext, inspectStream, type RunningCheck } from '../model/inspection/checkStream.ts';
import { type CheckReport, findingsWith, reportText } from '../model/inspection/report.ts';
import { nameOf } from './names.ts';
import { Refusal } from './refusal.ts';
import { streamIsGone, unknownAddress } from './refusals.ts';

/** Returns the report of a stream. Throws ApiError, a Refusal if the stream is gone, and the signal's AbortError. */
export async function reportOfStream(
  context: CheckContext,
  of: NamedStream,
  running: RunningCheck,
): Promise<CheckReport> {
  const requireUrl = (url: string | undefined) => requireHls(context, url);
  const checked = await inspectStream(context, of.id, { ...running, requireUrl });
  if (checked === undefined) throw streamIsGone(of);
  const { stream, ...found } = checked;
  return { title: t('Check results for "{0}"', nameOf(stream)), ...found };
}

/**
 * Returns the report of a stream, and whether it's live and has no problems. Throws ApiError, a Refusal if the stream
 * is gone, and the AbortError of the signal.
 */
export async function checkStreamById(
  context: CheckContext,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isGood: boolean }> {
  const report = await reportOfStream(context, { id, name: '' }, { signal });
  const isGood = report.playback !== undefined && findingsWith('bad', report.sections).length === 0;
  return { text: reportText(report, context.drawing()), isGood };
}

/** Says why a URL isn't inspected. */
export function notPlayback({ kind }: AddressFault, url: string): string {
  if (kind === 'credentials') return sentenceOfCredentials();
  if (kind === 'unencrypted') return sentenceOfUnencrypted(URL.parse(url)?.host ?? '');
  return t('Enter a URL that starts with https://, or a playback ID.');
}

/** Throws a Refusal if the URL, which was checked, isn't inspected. */
export function requireUrl(checked: CheckedUrl, url: string): string {
  if (checked.ok) return checked.url;
  throw new Refusal(notPlayback(checked.fault, url));
}

export function requireHls(context: CheckContext, url: string | undefined): string {
  if (url === undefined) throw unknownAddress(context, 'hls');
  return requireUrl(checkOwnAddress(url, openConnectionInfo(context)), url);
}
