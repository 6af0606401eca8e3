import { t } from '@vscode/l10n';
import { isAbortError, isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import { mayEndUnknownBroadcast } from '../../model/changeRules.ts';
import { changeStream, type Outcome, type PlannedChange, type StreamChange } from '../../model/changeStream.ts';
import { countedText, nameOf } from '../../texts/names.ts';
import { delay } from '../../util/clock.ts';
import type { CommandContext } from '../context.ts';

/** The parts of a context that are needed to change streams. */
export type ChangeContext = Pick<CommandContext, 'ui' | 'store' | 'clock'>;

export interface ChangeOfSeveral extends PlannedChange {
  readonly streams: readonly Stream[];
}

export interface ChangeProgress {
  readonly report: (message: string, percent?: number) => void;
  readonly signal: AbortSignal;
  /** If the streams are part of a larger set: its size, and how many came before them. */
  readonly whole?: { readonly count: number; readonly before: number };
}

/** Waits before a retry. Returns false if the wait would be too long; throws an AbortError if canceled. */
type Pauses = (retryAt: number | undefined) => Promise<boolean>;

/** Used if the service doesn't send a time for the retry. Doubles with each retry. */
const FIRST_PAUSE_MS = 5000;
/** How long one stream may hold up the others; the sum of its pauses. */
const PAUSED_AT_MOST_MS = 60_000;

/** Changes a stream as `changeStream` does. Throws an AbortError if the user cancels a wait. */
export function changeOne(context: ChangeContext, planned: StreamChange): Promise<Outcome> {
  return changeStream(context.store, planned, (stream, ms) => waitForPause(context, stream, ms));
}

/** Shows how long the change waits. */
async function waitForPause({ ui, clock }: ChangeContext, stream: Stream, ms: number): Promise<void> {
  const seconds = Math.ceil(ms / 1000);
  const title = t(
    'Waiting {0} s to end the broadcast of "{1}", because the previous one just ended',
    seconds,
    nameOf(stream),
  );
  await ui.progress(title, (_report, signal) => delay(clock, ms, signal));
}

/**
 * Changes streams one after the other, each once. Retries after "too many requests", which means that nothing was done.
 * Canceling skips the streams that haven't begun and never interrupts one that has.
 */
export async function changeInTurn(
  context: ChangeContext,
  { streams, ...planned }: ChangeOfSeveral,
  { report, signal, whole = { count: streams.length, before: 0 } }: ChangeProgress,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let isEnded = false;
  for (const [index, stream] of streams.entries()) {
    isEnded ||= signal.aborted || planned.account.isClosed;
    if (isEnded) {
      outcomes.push({ kind: 'left', stream });
      continue;
    }
    const pauses = reportPlace(context, index, { report, signal, whole });
    const outcome = await changePatiently(() => changeUnlessLive(context, { ...planned, stream }), pauses);
    outcomes.push(outcome);
    isEnded = endsAll(outcome);
  }
  return outcomes;
}

/** Reports which stream is next and returns the pauses for its change. */
export function reportPlace(
  context: ChangeContext,
  index: number,
  { report, signal, whole }: Required<ChangeProgress>,
): Pauses {
  const at = whole.before + index;
  const place = countedText(at + 1, whole.count);
  const percent = (at / whole.count) * 100;
  report(place, percent);
  return pausesOf(context, {
    report: (seconds) => report(t('{0} (too many requests, continuing in {1} s)', place, seconds), percent),
    signal,
  });
}

function pausesOf(
  { clock }: ChangeContext,
  shown: { readonly report: (seconds: number) => void; readonly signal: AbortSignal },
): Pauses {
  let next = FIRST_PAUSE_MS;
  let left = PAUSED_AT_MOST_MS;
  return async (retryAt) => {
    const ms = retryAt === undefined ? next : Math.max(retryAt - clock.now(), 1000);
    next *= 2;
    left -= ms;
    if (left < 0) return false;
    shown.report(Math.ceil(ms / 1000));
    await delay(clock, ms, shown.signal);
    return true;
  };
}

export async function changePatiently(change: () => Promise<Outcome>, pause: Pauses): Promise<Outcome> {
  for (;;) {
    const outcome = await change();
    if (outcome.kind !== 'failed' || outcome.error.reason !== 'rateLimited') return outcome;
    try {
      if (!(await pause(outcome.error.retryAt))) return outcome;
    } catch (error) {
      if (isAbortError(error)) return { kind: 'left', stream: outcome.stream };
      throw error;
    }
  }
}

/** Skips a stream that was idle when the user confirmed, or when no confirmation was needed, but is live now. */
async function changeUnlessLive(context: ChangeContext, streamChange: StreamChange): Promise<Outcome> {
  const { account, stream: chosen, change } = streamChange;
  if (!mayEndUnknownBroadcast(change.operation, chosen)) return changeOne(context, streamChange);
  try {
    const stream = await account.readStream(chosen.id);
    if (stream === undefined) return { kind: 'gone', stream: chosen };
    if (stream.isActive) return { kind: 'obstacle', stream, obstacle: 'wentLive' };
    return await changeOne(context, { ...streamChange, stream });
  } catch (error) {
    if (account.isClosed) return { kind: 'left', stream: chosen };
    if (!isApiError(error)) throw error;
    return { kind: 'failed', stream: chosen, error };
  }
}

/** Whether the next stream would fail the same way. A service unavailable for one may work for the next. */
export function endsAll(outcome: Outcome): boolean {
  if (outcome.kind !== 'failed') return false;
  const { reason, why } = outcome.error;
  return reason === 'unauthorized' || reason === 'rateLimited' || why === 'notOffered';
}
