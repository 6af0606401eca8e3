import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { delay } from '../../util/clock.ts';
import type { CommandContext } from '../context.ts';
import { hlsAddressOf } from '../knownAddresses.ts';
import { nameOf } from '../messages.ts';

type Context = Pick<
  CommandContext,
  'ui' | 'current' | 'settings' | 'demo' | 'clock' | 'transport' | 'testBroadcasts' | 'runCommand'
>;

const LIVE_WITHIN_MS = 30_000;
const PAUSE_MS = 1000;

/**
 * Starts a test broadcast as its command does, with the same question, and waits until the stream plays, at most half a
 * minute. Returns false if no broadcast was started, which the command reports.
 */
export async function broadcastUntilLive(context: Context, stream: Stream, seconds: number): Promise<boolean> {
  const { id } = stream;
  await context.runCommand('startTestBroadcast', { id, source: 'pattern', seconds });
  const isRunning = () => context.testBroadcasts.running.some((running) => running.id === id);
  if (!isRunning()) return false;
  const title = t('Waiting until "{0}" is live', nameOf(stream));
  await context.ui.progress(title, async (_, signal) => {
    const { clock } = context;
    const until = clock.elapsed() + LIVE_WITHIN_MS;
    while (isRunning() && clock.elapsed() < until && !(await isPlayable(context, id, signal))) {
      await delay(clock, PAUSE_MS, signal);
    }
  });
  return true;
}

/** Throws ApiError if the stream can't be read. That its playlist can't be is what is waited out. */
async function isPlayable(context: Context, id: string, signal: AbortSignal): Promise<boolean> {
  const stream = await context.current.account.readStream(id);
  if (stream?.isActive !== true) return false;
  const url = await hlsAddressOf(context, stream);
  if (url === undefined) return true;
  const { status } = await context.transport.send({ method: 'GET', url, headers: {}, signal });
  return status < 400;
}
