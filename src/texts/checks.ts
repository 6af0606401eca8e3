import { t } from '@vscode/l10n';
import { type CheckedUrl, checkOwnAddress } from '../model/addresses.ts';
import { openConnectionInfo } from '../model/connection/knownAddresses.ts';
import { type CheckContext, checkStream, type RunningCheck } from '../model/inspection/checkStream.ts';
import type { InspectionStep } from '../model/inspection/inspectHls.ts';
import { type CheckReport, findingsWith, reportText } from '../model/inspection/report.ts';
import type { CommandCall } from './actions.ts';
import { nameOf } from './names.ts';
import { Refusal } from './refusal.ts';
import { streamIsGone, unknownAddress } from './refusals.ts';

/** A button of a page. */
export type CheckAction = { readonly label: string } & (CommandCall | { readonly setting: string });

/** What a check has found, or why it couldn't be made and what can be done. */
export type CheckOutcome =
  | { readonly kind: 'report'; readonly report: CheckReport }
  | {
      readonly kind: 'failure';
      readonly sentence: string;
      readonly actions: readonly CheckAction[];
      /** Whether checking again may help. */
      readonly canRetry: boolean;
    };

/** Rejects with AbortErrors only: of the signal, or of a connection that was closed. */
export type RunCheck = (signal: AbortSignal, onStep: (step: InspectionStep) => void) => Promise<CheckOutcome>;

/** A check of a stream of a connection, or of playback anywhere. */
export interface RequestedCheck {
  readonly kind: 'stream' | 'playback';
  /** '' for playback, which needs no connection. */
  readonly connection: string;
  /** Of the stream, or the URL without its query. */
  readonly id: string;
  /** The stream's name, or the host. */
  readonly name: string;
  readonly run: RunCheck;
}

/** Check pages, one per stream and per URL. Opening one again shows the existing tab. Both run the check. */
export interface CheckTabs {
  open(check: RequestedCheck): Promise<void>;
}

/** Returns the report of a stream. Throws ApiError, a Refusal if the stream is gone, and the AbortError of the signal. */
export async function reportOfStream(
  context: CheckContext,
  of: { readonly id: string; readonly name: string },
  running: RunningCheck,
): Promise<CheckReport> {
  const requireUrl = (url: string | undefined) => requireHls(context, url);
  const checked = await checkStream(context, of.id, { ...running, requireUrl });
  if (checked === undefined) throw streamIsGone(of);
  const { stream, ...found } = checked;
  return { title: t('Check results for "{0}"', nameOf(stream)), ...found };
}

/**
 * Returns the report of a stream, and whether it's live and has no problems. Throws ApiError, a Refusal if the stream is
 * gone, and the AbortError of the signal.
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
  return t('Enter a URL that starts with https://, or a playback ID.');
}

export function requireUrl(checked: CheckedUrl): string {
  if (checked.ok) return checked.url;
  throw new Refusal(notPlayback());
}

export function requireHls(context: CheckContext, url: string | undefined): string {
  if (url === undefined) throw unknownAddress(context, 'hls');
  return requireUrl(checkOwnAddress(url, openConnectionInfo(context)));
}
