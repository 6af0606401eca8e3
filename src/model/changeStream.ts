import type { NamedStream, Stream } from '../api/types.ts';
import type { Account } from './account/account.ts';
import { type ChangeOutcome, changesOf } from './account/accountChanges.ts';
import { type Obstacle, obstacleTo } from './changeRules.ts';
import type { Change } from './changes.ts';
import type { ConnectionInfo } from './store/snapshot.ts';
import type { StreamStore } from './store/store.ts';

export type Outcome = { readonly stream: NamedStream } & (
  | Exclude<ChangeOutcome, { readonly kind: 'refusedAsLive' }>
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  /** Not started: canceled, the connection was switched, or an earlier failure would have been repeated. */
  | { readonly kind: 'left' }
);

/** A change and the connection that was open when its command began. Later requests must not go to another one. */
export interface PlannedChange {
  readonly account: Account;
  readonly info: ConnectionInfo;
  readonly change: Change;
}

export interface StreamChange extends PlannedChange {
  readonly stream: Stream;
}

/**
 * Changes one stream and reads it back. Its row shows the operation in the meantime. Sends the change at most once.
 * Doesn't throw ApiError.
 * @param wait Called with the milliseconds for which the service would refuse the change. Its errors are rethrown.
 */
export async function changeStream(
  store: StreamStore,
  planned: StreamChange,
  wait: (stream: Stream, ms: number) => Promise<void>,
): Promise<Outcome> {
  const { account, change } = planned;
  // A later stream of several may have gone live while earlier ones were changed.
  const stream = store.snapshot.streams.get(planned.stream.id)?.stream ?? planned.stream;
  const obstacle = obstacleTo(change.operation, stream, store.snapshot.operations.has(stream.id));
  if (obstacle !== undefined) return { kind: 'obstacle', stream, obstacle };
  const operation = account.writer.beginOperation(stream.id, change.operation);
  try {
    // A broadcast that was just ended can't be ended again immediately (src/api/README.md, Changes).
    const pause = change.operation === 'endingBroadcast' ? changesOf(account).pauseBeforeEnding(stream.id) : 0;
    if (pause > 0) await wait(stream, pause);
    if (account.isClosed) return { kind: 'left', stream };
    const outcome = await changesOf(account).change(stream.id, change);
    if (outcome.kind !== 'refusedAsLive') return { ...outcome, stream };
    const isOfRenditions = change.operation === 'settingRenditions';
    return { kind: 'obstacle', obstacle: isOfRenditions ? 'liveRenditions' : 'live', stream };
  } finally {
    operation.dispose();
  }
}
