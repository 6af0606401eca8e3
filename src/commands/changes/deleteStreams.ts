import { isApiError } from '../../api/errors.ts';
import type { Stream } from '../../api/types.ts';
import type { Account } from '../../model/account/account.ts';
import { changesOf } from '../../model/account/accountChanges.ts';
import type { Outcome } from '../../model/changeStream.ts';
import { DisposableStore } from '../../util/disposable.ts';
import {
  type ChangeContext,
  type ChangeOfSeveral,
  type ChangeProgress,
  changeInTurn,
  changePatiently,
  endsAll,
  reportPlace,
} from './changeStreams.ts';

/** Few enough for the limits that services set for bodies, and for a user who cancels. */
const TOGETHER_AT_MOST = 100;

/**
 * Deletes streams, many per request if the service supports that, and reads each back. Those that are live are
 * deleted one by one, which ends their broadcasts. Canceling skips the streams that haven't begun.
 */
export async function deleteStreams(
  context: ChangeContext,
  { streams, ...planned }: ChangeOfSeveral,
  { report, signal }: ChangeProgress,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  while (outcomes.length < streams.length) {
    const before = outcomes.length;
    const part = streams.slice(before, before + TOGETHER_AT_MOST);
    if (signal.aborted || outcomes.some(endsAll)) {
      outcomes.push(...part.map((stream): Outcome => ({ kind: 'left', stream })));
      continue;
    }
    const together = await deleteTogether(context, part, {
      account: planned.account,
      shown: { report, signal, whole: { count: streams.length, before } },
    });
    const others = part.filter(({ id }) => together.every(({ stream }) => stream.id !== id));
    const whole = { count: streams.length, before: before + together.length };
    outcomes.push(...together);
    outcomes.push(...(await changeInTurn(context, { ...planned, streams: others }, { report, signal, whole })));
  }
  return outcomes;
}

/** Returns the outcomes of the streams that could be deleted with one request. */
async function deleteTogether(
  context: ChangeContext,
  streams: readonly Stream[],
  { account, shown }: { readonly account: Account; readonly shown: Required<ChangeProgress> },
): Promise<readonly Outcome[]> {
  const idle = streams.filter(({ isActive }) => !isActive);
  const [first] = idle;
  if (first === undefined || !changesOf(account).canDeleteTogether) return [];
  let outcomes: readonly Outcome[] = [];
  const last = await changePatiently(
    async () => {
      outcomes = await tryTogether(context, idle, account);
      return outcomes.find(({ kind }) => kind === 'failed') ?? { kind: 'done', stream: first };
    },
    reportPlace(context, 0, shown),
  );
  // Canceled while it waited to be sent again.
  return last.kind === 'left' ? outcomes.map(({ stream }) => ({ kind: 'left', stream })) : outcomes;
}

async function tryTogether(
  { store }: ChangeContext,
  streams: readonly Stream[],
  account: Account,
): Promise<readonly Outcome[]> {
  const changes = changesOf(account);
  if (streams.length < 2 || account.isClosed) return [];
  const live = await readLiveIds(account);
  const possible = streams.filter(({ id }) => live?.has(id) === false && !store.snapshot.operations.has(id));
  if (possible.length < 2 || account.isClosed) return [];
  const operations = new DisposableStore();
  for (const { id } of possible) operations.add(account.writer.beginOperation(id, 'deleting'));
  try {
    const outcomes = await changes.deleteTogether(possible.map(({ id }) => id));
    return possible.flatMap((stream) => {
      const outcome = outcomes?.get(stream.id);
      return outcome === undefined ? [] : [{ ...outcome, stream }];
    });
  } finally {
    operations.dispose();
  }
}

/** Sends one request: reading each stream would take as many as deleting each. Returns undefined if it fails. */
async function readLiveIds(account: Account): Promise<ReadonlySet<string> | undefined> {
  try {
    const { items } = await account.listLiveStreams();
    return new Set(items.filter(({ isActive }) => isActive).map(({ id }) => id));
  } catch (error) {
    if (!isApiError(error) && !account.isClosed) throw error;
    return undefined;
  }
}
