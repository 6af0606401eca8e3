import { isAbortError } from '../../api/errors.ts';
import type { NamedStream } from '../../api/types.ts';
import type { Clock, Log } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { runningSession } from '../store/sessions.ts';
import { type ConnectionInfo, connectionIdOf } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import { isLive } from '../store/streams.ts';

/** A broadcast of this window, with the objects of its connection. */
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

/** When the service is read after a broadcast has begun or ended, besides its polls, until it knows. */
const READS_AFTER_MS = [0, 2500, 5000, 10_000];
/** Targets may take a while to connect, and health is read at most once in 30 seconds. */
const HEALTH_AFTER_MS = 35_000;

/** Reads that the stream is live, its session, and its health, as those who have just begun to broadcast wait for them. */
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

/** Reads that the stream is no longer live, and what has become of its session. */
export function readEnded(broadcast: SentBroadcast, context: ReadContext): Disposable {
  const reads = new DisposableStore();
  readRepeatedly(broadcast, { ...context, reads }, async () => {
    if (isLiveIn(broadcast.store, broadcast)) return;
    reads.dispose();
    await readSessions(broadcast);
  });
  return reads;
}

/** Whether a store is that of the broadcast's connection, and knows its stream as live. */
export function isLiveIn({ snapshot }: StreamStore, { stream, connection }: SentBroadcast): boolean {
  const fact = snapshot.streams.get(stream.id);
  return connectionIdOf(snapshot) === connection.id && fact !== undefined && isLive(fact);
}

/**
 * Reads the stream by its id: for a while, lists don't count for one that was just created or changed.
 * @param next what to read after it
 */
function readRepeatedly(
  { stream, store, account }: SentBroadcast,
  { clock, log, reads }: ReadContext & { readonly reads: DisposableStore },
  next: () => Promise<void>,
): void {
  const read = async () => {
    // The poller decides when to try a service again that fails.
    if (account.isClosed || store.snapshot.trouble !== undefined) return;
    try {
      await account.readStream(stream.id);
    } catch (error) {
      if (!isAbortError(error)) log.debug(`The stream of a test broadcast could not be read: ${String(error)}`);
    }
    if (!account.isClosed && !reads.isDisposed) await next();
  };
  for (const ms of READS_AFTER_MS) reads.add(clock.setTimeout(() => void read(), ms));
}

async function readSessions({ stream, store, loader }: SentBroadcast): Promise<void> {
  if (store.snapshot.sessions.get(stream.id)?.isLoaded === true) await loader.pollSessions([stream.id]);
}
