import { type ListState, type Snapshot, type StreamFact, type SubList, withNextTry } from './snapshot.ts';

// The new account numbers its requests from 1. The previous account's numbers stay in order, below those.
const NUMBERS_BEFORE = 1e9;

/**
 * Returns the state to keep when a store opens a connection that another store already knows. Leaves out operations and
 * loads that are in progress, and recordings, which only the window's own connection has.
 */
export function takeOver(known: Snapshot, into: Snapshot): Partial<Snapshot> {
  if (known.filter !== into.filter || known.sort !== into.sort) return {};
  const { accountNames, streamCount, leftActive, pinnedIds, recentChanges, clips } = known;
  const { targets, health, hasTargets, trouble, lists, connection } = known;
  return {
    ...{ accountNames, streamCount, leftActive, pinnedIds, recentChanges, clips },
    createdIds: new Set([...known.createdIds, ...into.createdIds]),
    ...{ targets, health, hasTargets, trouble: withNextTry(trouble) },
    // It stays refused until the service accepts the key.
    ...(connection.kind === 'refused' && { connection }),
    streams: valuesOf(known.streams, renumbered<StreamFact>),
    lists: { active: keptList(lists.active), idle: keptList(lists.idle), recording: keptList(lists.recording) },
    sessions: valuesOf(known.sessions, keptSubList),
    children: valuesOf(known.children, keptSubList),
    orphans: keptSubList(known.orphans),
  };
}

function keptList(state: ListState): ListState {
  return { ...renumbered(state), isLoading: false, isLoadingMore: false, trouble: withNextTry(state.trouble) };
}

function renumbered<T extends { readonly requestSeq: number }>(each: T): T {
  return { ...each, requestSeq: each.requestSeq - NUMBERS_BEFORE };
}

function keptSubList<T>(below: SubList<T>): SubList<T> {
  return { ...below, isLoading: false, trouble: withNextTry(below.trouble) };
}

function valuesOf<T>(all: ReadonlyMap<string, T>, change: (value: T) => T): ReadonlyMap<string, T> {
  return new Map([...all].map(([id, value]) => [id, change(value)]));
}
