import { t } from '@vscode/l10n';
import { isAbortError, isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import { type Change, mayEndUnknownBroadcast } from '../../model/changes.ts';
import { delay } from '../../util/delay.ts';
import type { CommandContext } from '../context.ts';
import { readStream } from '../targets/reading.ts';
import { changeOne, type NeedsChange, type OpenConnection, type Outcome } from './changeOne.ts';

type Context = NeedsChange & Pick<CommandContext, 'current'>;

/** Where the service does not say when it may be asked again; doubled each time. */
const FIRST_PAUSE_MS = 5000;
/** So long one stream may hold up the others, all its pauses together. */
const PAUSED_AT_MOST_MS = 60_000;

/** How far it is, shown while it runs; its signal aborts when the person cancels. */
interface Shown {
  readonly report: (message: string, percent?: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Changes streams one after the other, each once. Too many requests are waited out: nothing of what was answered so was
 * done. Cancelling leaves those alone that were not begun, and never breaks off one that was.
 */
export async function changeInTurn(
  context: Context,
  connection: OpenConnection,
  streams: readonly Stream[],
  change: Change,
  { report, signal }: Shown,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let isEnded = false;
  for (const [index, stream] of streams.entries()) {
    isEnded ||= signal.aborted || !connection.isStillOpen();
    if (isEnded) {
      outcomes.push({ kind: 'left', stream });
      continue;
    }
    const place = t('{0} of {1}', index + 1, streams.length);
    const percent = (index / streams.length) * 100;
    report(place, percent);
    const pauses = pausesOf(context, {
      report: (seconds) => report(t('{0}. Too many requests, going on in {1} s', place, seconds), percent),
      signal,
    });
    const outcome = await changePatiently(() => changeUnlessLive(context, connection, stream, change), pauses);
    outcomes.push(outcome);
    isEnded = endsAll(outcome);
  }
  return outcomes;
}

/** Waits before a stream is tried again; false where it would be for too long. Throws an AbortError when cancelled. */
type Pauses = (retryAt: number | undefined) => Promise<boolean>;

function pausesOf(
  { clock }: Pick<Context, 'clock'>,
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

async function changePatiently(change: () => Promise<Outcome>, pause: Pauses): Promise<Outcome> {
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

/** What was idle when the question was asked, or when none had to be, is left alone where it is live by now. */
async function changeUnlessLive(
  context: Context,
  connection: OpenConnection,
  asked: Stream,
  change: Change,
): Promise<Outcome> {
  if (!mayEndUnknownBroadcast(change.operation, asked)) return changeOne(context, connection, asked, change);
  try {
    const stream = await readStream(context, asked.id);
    if (!connection.isStillOpen()) return { kind: 'left', stream: asked };
    if (stream === undefined) return { kind: 'gone', stream: asked };
    if (stream.isActive) return { kind: 'obstacle', stream, obstacle: 'wentLive' };
    return await changeOne(context, connection, stream, change);
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { kind: 'failed', stream: asked, error };
  }
}

/** Would the next one be answered the same? A service that is in trouble with one stream may do well with the next. */
function endsAll(outcome: Outcome): boolean {
  if (outcome.kind !== 'failed') return false;
  const { reason, why } = outcome.error;
  return reason === 'unauthorized' || reason === 'rateLimited' || why === 'notOffered';
}
