import {
  LIST_NAMES,
  type ListName,
  type ListState,
  type Snapshot,
  type StreamFact,
  type SubList,
} from '../model/store/snapshot.ts';
import { isStale } from '../model/store/streams.ts';
import { isSameJson } from '../util/sameJson.ts';

/** Two snapshots of one connection, and what of the difference can be seen in rows. */
export interface SnapshotChanges {
  readonly previous: Snapshot;
  readonly current: Snapshot;
  /** Streams that are new, gone, other than before, or under another operation. */
  readonly streams: ReadonlySet<string>;
  /** Streams whose sessions or historic child streams are other than before. */
  readonly subLists: ReadonlySet<string>;
  /** Streams whose sessions are being loaded now and were not before, or the reverse. */
  readonly loading: ReadonlySet<string>;
  /** Groups whose rows may have to be others than before. */
  readonly lists: ReadonlySet<ListName>;
  /** Groups that were listed again, or are looked at in another way: all their rows may be drawn anew. */
  readonly relisted: ReadonlySet<ListName>;
}

export function compareSnapshots(previous: Snapshot, current: Snapshot): SnapshotChanges {
  const streams = new Set([
    ...changedFacts(previous, current),
    ...changedKeys(previous.operations, current.operations),
  ]);
  const subLists = new Set([
    ...changedKeys(previous.sessions, current.sessions, isSameSubList),
    ...changedKeys(previous.children, current.children, isSameSubList),
  ]);
  const isLoadingAlike = (a: SubList<unknown> | undefined, b: typeof a) => a?.isLoading === b?.isLoading;
  const loading = new Set(changedKeys(previous.sessions, current.sessions, isLoadingAlike));
  const relisted = LIST_NAMES.filter((list) => isRelisted(previous, current, list));
  const isOther = streams.size > 0 || previous.left !== current.left || previous.pinned !== current.pinned;
  const lists = LIST_NAMES.filter((list) => {
    return isOther || relisted.includes(list) || !isSameEnd(previous.lists[list], current.lists[list]);
  });
  return { previous, current, streams, subLists, loading, lists: new Set(lists), relisted: new Set(relisted) };
}

/** Does it look the same, loading or not, whenever it was loaded? */
export function isSameSubList(a: SubList<unknown> | undefined, b: SubList<unknown> | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  const isSame = a.isLoaded === b.isLoaded && a.revealed === b.revealed && a.hasNextPage === b.hasNextPage;
  return isSame && a.trouble === b.trouble && areSameItems(a.items, b.items);
}

/** Answers bring new objects for the same things. */
function areSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return isSameJson(a, b);
}

function changedFacts(previous: Snapshot, current: Snapshot): readonly string[] {
  return changedKeys(previous.streams, current.streams, isSameFact);
}

function isSameFact(a: StreamFact | undefined, b: StreamFact | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.stream !== b.stream) return false;
  // The age of what is stale is told by the answer's clock, which went on though the stream did not change.
  return isStale(a) === isStale(b) && (!isStale(a) || a.serverDate === b.serverDate);
}

function changedKeys<T>(
  previous: ReadonlyMap<string, T>,
  current: ReadonlyMap<string, T>,
  isSame: (a: T | undefined, b: T | undefined) => boolean = Object.is,
): readonly string[] {
  if (previous === current) return [];
  const changed: string[] = [];
  for (const [key, value] of current) {
    if (!isSame(previous.get(key), value)) changed.push(key);
  }
  for (const key of previous.keys()) {
    if (!current.has(key)) changed.push(key);
  }
  return changed;
}

function isRelisted(previous: Snapshot, current: Snapshot, list: ListName): boolean {
  if (previous.filter !== current.filter || previous.sort !== current.sort) return true;
  const a = previous.lists[list];
  const b = current.lists[list];
  if (a === b) return false;
  return a.loadedAt !== b.loadedAt || a.isLoaded !== b.isLoaded || a.revealed !== b.revealed || a.ids !== b.ids;
}

/** What stands in the group's own row and at its end. */
function isSameEnd(a: ListState, b: ListState): boolean {
  if (a === b) return true;
  const isSame = a.total === b.total && a.hasNextPage === b.hasNextPage && a.dropped === b.dropped;
  return isSame && a.isStale === b.isStale && a.isLoadingMore === b.isLoadingMore && a.trouble === b.trouble;
}
