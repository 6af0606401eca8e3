import { t } from '@vscode/l10n';
import type { NamedStream } from '../api/types.ts';
import { type CheckedUrl, checkOwnAddress } from '../model/addresses.ts';
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

export function notPlayback(): string {
  return t('Enter a URL that starts with https:// or http://, or a playback ID.');
}

export function requireUrl(checked: CheckedUrl): string {
  if (checked.ok) return checked.url;
  throw new Refusal(notPlayback());
}

export function requireHls(context: CheckContext, url: string | undefined): string {
  if (url === undefined) throw unknownAddress(context, 'hls');
  return requireUrl(checkOwnAddress(url, openConnectionInfo(context)));
}
