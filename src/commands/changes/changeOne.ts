import { t } from '@vscode/l10n';
import type { ApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { type Change, type Obstacle, obstacleTo } from '../../model/changes.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import { delay } from '../../util/delay.ts';
import type { CommandContext } from '../context.ts';
import { nameOf } from '../messages.ts';

export type NeedsChange = Pick<CommandContext, 'ui' | 'store' | 'clock'>;

export type Outcome = { readonly stream: Pick<Stream, 'id' | 'name'> } & (
  | { readonly kind: 'done' }
  /** The request failed or got no response, but reading the stream back shows the change. */
  | { readonly kind: 'doneDespite'; readonly error: ApiError }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: ApiError }
  /** May have happened: the response was lost or a server error, and the stream read back doesn't show it. */
  | { readonly kind: 'uncertain'; readonly error: ApiError }
  /** Not begun: canceled, the connection was switched, or an earlier failure would have repeated. */
  | { readonly kind: 'left' }
);

/** A change, and the connection that was open when its command began: later requests must not go to another one. */
export interface PlannedChange {
  readonly account: Account;
  readonly info: ConnectionInfo;
  readonly change: Change;
}

export interface StreamChange extends PlannedChange {
  readonly stream: Stream;
}

/**
 * Changes one stream and reads it back; its row shows the operation meanwhile. Sends the change once, whatever happens.
 * Doesn't throw ApiError; throws an AbortError if the user cancels the wait.
 */
export async function changeOne(context: NeedsChange, planned: StreamChange): Promise<Outcome> {
  const { store } = context;
  const { account, change } = planned;
  // A later stream of several may have gone live while earlier ones were changed.
  const stream = store.snapshot.streams.get(planned.stream.id)?.stream ?? planned.stream;
  const obstacle = obstacleTo(change.operation, stream, store.snapshot.operations.has(stream.id));
  if (obstacle !== undefined) return { kind: 'obstacle', stream, obstacle };
  const operation = store.beginOperation(stream.id, change.operation);
  try {
    if (change.operation === 'endingBroadcast') await waitForPause(context, account, stream);
    if (account.isClosed) return { kind: 'left', stream };
    const outcome = await account.change(stream.id, change);
    return outcome.kind === 'refusedAsLive' ? { kind: 'obstacle', obstacle: 'live', stream } : { ...outcome, stream };
  } finally {
    operation.dispose();
  }
}

/** A broadcast just ended can't be ended again at once (src/api/README.md, Changes). Waits and shows how long. */
async function waitForPause({ ui, clock }: NeedsChange, account: Account, stream: Stream): Promise<void> {
  const ms = account.pauseBeforeEnding(stream.id);
  if (ms === 0) return;
  const seconds = Math.ceil(ms / 1000);
  const title = t('The broadcast of "{0}" was ended a moment ago. Ending it again in {1} s', nameOf(stream), seconds);
  await ui.progress(title, (_report, signal) => delay(clock, ms, signal));
}
