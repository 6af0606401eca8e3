import { t } from '@vscode/l10n';
import { isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { hlsAddressOf } from '../../model/connection/hlsAddress.ts';
import { withToken } from '../../model/filledAddresses.ts';
import { isPrivate } from '../../model/store/streams.ts';
import { nameOf } from '../../texts/names.ts';
import { switchedConnections } from '../../texts/refusals.ts';
import { delay } from '../../util/clock.ts';
import { createDeadline } from '../../util/deadline.ts';
import type { CommandContext } from '../context.ts';

const LIVE_WITHIN_MS = 30_000;
const PAUSE_MS = 1000;
/** Some servers respond only once there is something to play. */
const PLAYLIST_WITHIN_MS = 5000;

/**
 * Starts a test broadcast with `start` and waits until the stream plays, at most half a minute and until `ending`
 * aborts. Returns false if no broadcast was started. Throws a Refusal if another connection is opened in the meantime.
 */
export async function broadcastUntilLive(
  context: CommandContext,
  stream: Stream,
  { start, ending }: { readonly start: () => Promise<unknown>; readonly ending?: AbortSignal },
): Promise<boolean> {
  const { id } = stream;
  const { account } = context.connection;
  ending?.throwIfAborted();
  await start();
  const isRunning = () => context.testBroadcasts.running.some((running) => running.id === id);
  if (!isRunning()) return false;
  const title = t('Waiting for "{0}" to go live', nameOf(stream));
  const waiting = context.ui.progress(title, async (_, canceled) => {
    const { clock } = context;
    const signal = AbortSignal.any([canceled, account.signal, ...(ending === undefined ? [] : [ending])]);
    const until = clock.elapsed() + LIVE_WITHIN_MS;
    while (isRunning() && clock.elapsed() < until && !(await isPlayable(context, { account, id, signal }))) {
      await delay(clock, PAUSE_MS, signal);
    }
  });
  await waiting.catch((error: unknown) => {
    throw account.isClosed ? switchedConnections() : error;
  });
  return true;
}

/** Throws ApiError if the stream can't be read. Returns false if its playlist can't, which may not exist yet. */
async function isPlayable(
  context: CommandContext,
  { account, id, signal }: { readonly account: Account; readonly id: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const stream = await account.readStream(id);
  if (stream?.isActive !== true) return false;
  const address = await hlsAddressOf(context, stream);
  const token = await account.viewerToken(stream);
  const url = withToken(address, token);
  // Without a token, the response doesn't show whether there is something to play.
  if (url === undefined || (isPrivate(stream) && token === undefined)) return true;
  const deadline = createDeadline(context.clock, PLAYLIST_WITHIN_MS, signal);
  try {
    const { status } = await context.transport.send({ method: 'GET', url, headers: {}, signal: deadline.signal });
    return status < 400;
  } catch (error) {
    signal.throwIfAborted();
    if (isApiError(error) || deadline.isOver) return false;
    throw error;
  } finally {
    deadline.dispose();
  }
}
