import { isAbortError } from '../../api/errors.ts';
import type { NamedStream } from '../../api/types.ts';
import type { Clock, Log } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { runningSession } from '../store/sessions.ts';
import { type ConnectionInfo, connectionIdOf } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import { isLive } from '../store/streams.ts';

/** A broadcast from this window, with its connection's objects. */
export interface SentBroadcast {
  readonly stream: NamedStream;
  readonly connection: ConnectionInfo;
  readonly store: StreamStore;
  readonly loader: {
    pollSessions(streamIds: readonly string[]): Promise<void>;
    readHealth(streamIds: readonly string[]): Promise<void>;
  };
  readonly account: { readonly isClosed: boolean; readStream(id: string): Promise<unknown> };
}

interface ReadContext {
  readonly clock: Clock;
  readonly log: Log;
}

/** When to read the service, in addition to polls, after a broadcast has begun or ended, until the service knows. */
const READS_AFTER_MS = [0, 2500, 5000, 10_000];
/** Targets may take a while to connect, and health is read at most once every 30 seconds. */
const HEALTH_AFTER_MS = 35_000;

/** Reads whether the stream is live, its session, and its health, because users wait for these after they go live. */
export function readBegun(broadcast: SentBroadcast, context: ReadContext): Disposable {
  const { stream, store, loader } = broadcast;
  const reads = new DisposableStore();
  const health = context.clock.setTimeout(() => {
    if (isLiveIn(store, broadcast)) void loader.readHealth([stream.id]);
  }, HEALTH_AFTER_MS);
  readRepeatedly(broadcast, { ...context, reads }, async () => {
    if (!isLiveIn(store, broadcast)) return;
    await Promise.all([readSessions(broadcast), loader.readHealth([stream.id])]);
    const isListed = store.snapshot.sessions.get(stream.id)?.isLoaded === true;
    if (!isListed || runningSession(store.snapshot, stream.id) !== undefined) reads.dispose();
  });
  const owned = new DisposableStore();
  owned.add(health);
  owned.add(reads);
  return owned;
}

/** Reads whether the stream is no longer live, and then its session. */
export function readEnded(broadcast: SentBroadcast, context: ReadContext): Disposable {
  const reads = new DisposableStore();
  readRepeatedly(broadcast, { ...context, reads }, async () => {
    if (isLiveIn(broadcast.store, broadcast)) return;
    reads.dispose();
    await readSessions(broadcast);
  });
  return reads;
}

/** Whether a store belongs to the broadcast's connection and knows its stream as live. */
export function isLiveIn({ snapshot }: StreamStore, { stream, connection }: SentBroadcast): boolean {
  const fact = snapshot.streams.get(stream.id);
  return connectionIdOf(snapshot) === connection.id && fact !== undefined && isLive(fact);
}

/**
 * Reads the stream by its ID, because lists don't count for a while if it was just created or changed.
 * @param next what to read after it
 */
function readRepeatedly(
  { stream, store, account }: SentBroadcast,
  { clock, log, reads }: ReadContext & { readonly reads: DisposableStore },
  next: () => Promise<void>,
): void {
  const read = async () => {
    // The poller decides when to retry a failing service.
    if (account.isClosed || store.snapshot.trouble !== undefined) return;
    try {
      await account.readStream(stream.id);
    } catch (error) {
      if (!isAbortError(error)) log.debug(`The stream of a test broadcast couldn't be read: ${String(error)}`);
    }
    if (!account.isClosed && !reads.isDisposed) await next();
  };
  for (const ms of READS_AFTER_MS) reads.add(clock.setTimeout(() => void read(), ms));
}

async function readSessions({ stream, store, loader }: SentBroadcast): Promise<void> {
  if (store.snapshot.sessions.get(stream.id)?.isLoaded === true) await loader.pollSessions([stream.id]);
}
