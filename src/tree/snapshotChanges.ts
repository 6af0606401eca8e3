import type { HealthCondition } from '../api/types.ts';
import { isUnmet } from '../model/inspection/problems.ts';
import {
  LIST_NAMES,
  type ListName,
  type ListState,
  type Snapshot,
  type StreamFact,
  type SubList,
} from '../model/store/snapshot.ts';
import { isOutdated, isStale } from '../model/store/streams.ts';
import { isSameJson } from '../util/sameJson.ts';

export interface SnapshotChanges {
  readonly previous: Snapshot;
  readonly current: Snapshot;
  /**
   * Added, removed, or with changes, including to the operation, test broadcast, or health. All active ones if they
   * became outdated or current.
   */
  readonly streams: ReadonlySet<string>;
  readonly subLists: ReadonlySet<string>;
  readonly loading: ReadonlySet<string>;
  readonly lists: ReadonlySet<ListName>;
  /** Groups that were listed again, filtered, or sorted: all their rows may be redrawn. */
  readonly relisted: ReadonlySet<ListName>;
}

export function compareSnapshots(previous: Snapshot, current: Snapshot): SnapshotChanges {
  const streams = new Set([
    ...changedKeys(previous.streams, current.streams, isSameFact),
    ...changedKeys(previous.operations, current.operations),
    ...changedKeys(previous.testBroadcasts, current.testBroadcasts),
    ...changedKeys(previous.health, current.health, isSameHealth),
    ...(previous.targets === current.targets ? [] : current.health.keys()),
    ...(isOutdated(previous) === isOutdated(current) ? [] : activeIds(current)),
  ]);
  const subLists = new Set([
    ...changedKeys(previous.sessions, current.sessions, isSameSubList),
    ...changedKeys(previous.clips, current.clips),
    ...changedKeys(previous.children, current.children, isSameSubList),
  ]);
  const isLoadingAlike = (a: SubList<unknown> | undefined, b: typeof a) => a?.isLoading === b?.isLoading;
  const loading = new Set(changedKeys(previous.sessions, current.sessions, isLoadingAlike));
  const relisted = LIST_NAMES.filter((list) => isRelisted(previous, current, list));
  const isOther =
    streams.size > 0 ||
    previous.streamCount !== current.streamCount ||
    previous.leftActive !== current.leftActive ||
    previous.pinnedIds !== current.pinnedIds;
  const lists = LIST_NAMES.filter((list) => {
    return isOther || relisted.includes(list) || !isSameEnd(previous.lists[list], current.lists[list]);
  });
  return { previous, current, streams, subLists, loading, lists: new Set(lists), relisted: new Set(relisted) };
}

/** Whether both look the same, regardless of when they were loaded or whether they are loading. */
export function isSameSubList(a: SubList<unknown> | undefined, b: SubList<unknown> | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  const isSame = a.isLoaded === b.isLoaded && a.revealed === b.revealed && a.hasNextPage === b.hasNextPage;
  // Responses contain new objects for unchanged items.
  return isSame && a.trouble === b.trouble && isSameJson(a.items, b.items);
}

function isSameFact(a: StreamFact | undefined, b: StreamFact | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.stream !== b.stream) return false;
  // The age of a stale stream is measured by the response's clock, which advances even if the stream doesn't change.
  return isStale(a) === isStale(b) && (!isStale(a) || a.serverDate === b.serverDate);
}

/** Whether the same problems exist, regardless of when they were checked. */
function isSameHealth(a: readonly HealthCondition[] = [], b: readonly HealthCondition[] = []): boolean {
  const unmet = (health: typeof a) => health.filter(isUnmet).map(({ type, target }) => [type, target]);
  return a === b || isSameJson(unmet(a), unmet(b));
}

function activeIds({ streams }: Snapshot): readonly string[] {
  return [...streams.values()].filter(({ stream }) => stream.isActive).map(({ stream }) => stream.id);
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

function isSameEnd(a: ListState, b: ListState): boolean {
  if (a === b) return true;
  const isSame = a.total === b.total && a.hasNextPage === b.hasNextPage && a.unreadable === b.unreadable;
  return (
    isSame &&
    a.isSorted === b.isSorted &&
    a.isStale === b.isStale &&
    a.isLoadingMore === b.isLoadingMore &&
    a.trouble === b.trouble
  );
}
