import { compareNames } from '../../util/compareNames.ts';
import { isBlank } from '../../util/text.ts';
import type { ListName, ListState, Snapshot, SortKey, StreamFact } from './snapshot.ts';

/** A live stream from which nothing arrived for longer than this is stale (src/api/README.md, Streams: the service's own clean-up waits as long). */
export const STALE_AFTER_MS = 90_000;

/** What a stream is doing, judged by one answer alone: it does not change between answers. */
export type StreamState = 'live' | 'stale' | 'idle' | 'suspended';

/** Still called active, but its data stopped more than 90 s before the answer, by the answer's own clock. */
export function isStale(fact: StreamFact): boolean {
  const { isActive, lastSeen } = fact.stream;
  return isActive && lastSeen !== undefined && fact.serverDate - lastSeen > STALE_AFTER_MS;
}

/** Active and not stale: what badge, status bar and notifications count. */
export function isLive(fact: StreamFact): boolean {
  return fact.stream.isActive && !isStale(fact);
}

export function streamState(fact: StreamFact): StreamState {
  if (fact.stream.isActive) return isStale(fact) ? 'stale' : 'live';
  return fact.stream.suspended === true ? 'suspended' : 'idle';
}

/**
 * How the service is asked to sort the paged lists. When an idle stream was last seen does not change; that of a live one
 * does, and rows would move between pages.
 */
export const LIST_SORTS = { idle: 'lastSeen', recording: 'createdAt' } as const satisfies Partial<
  Record<ListName, SortKey>
>;

/** The name people know it by; the id where it has none that can be seen. */
export function streamLabel(stream: { readonly id: string; readonly name: string }): string {
  return isBlank(stream.name) ? stream.id : stream.name;
}

export function matchesFilter(stream: { readonly name: string }, filter: string): boolean {
  return filter === '' || stream.name.toLowerCase().includes(filter.toLowerCase());
}

export function liveStreams(snapshot: Snapshot): readonly StreamFact[] {
  return [...snapshot.streams.values()].filter(isLive);
}

/**
 * The ids that a group shows, in order. Of what its pages name, as many as Load more has revealed; what is known to belong
 * in it beside them comes on top, wherever it stands.
 */
export function shownIds(snapshot: Snapshot, list: ListName): readonly string[] {
  return shownRows(snapshot, list).ids;
}

/** Does a group show this stream? */
export function isShown(snapshot: Snapshot, list: ListName, id: string): boolean {
  const rows = shownRows(snapshot, list);
  rows.set ??= new Set(rows.ids);
  return rows.set.has(id);
}

/** Are there rows that Load more would show, at the service or here? */
export function hasMore(snapshot: Snapshot, list: ListName): boolean {
  return snapshot.lists[list].hasNextPage || shownRows(snapshot, list).isCut;
}

/** The rows of a group. */
interface ShownRows {
  readonly ids: readonly string[];
  /** Are there rows that were not revealed yet? */
  readonly isCut: boolean;
  /** The ids, once somebody looked for one. */
  set?: ReadonlySet<string>;
}

/** Of each snapshot once: a change has the rows of a group asked for many times, and thousands are sorted for it. */
const shown = new WeakMap<Snapshot, Map<ListName, ShownRows>>();

function shownRows(snapshot: Snapshot, list: ListName): ShownRows {
  const ofSnapshot = shown.get(snapshot) ?? new Map<ListName, ShownRows>();
  shown.set(snapshot, ofSnapshot);
  const known = ofSnapshot.get(list);
  if (known !== undefined) return known;
  const rows = sortRows(snapshot, list);
  ofSnapshot.set(list, rows);
  return rows;
}

function sortRows(snapshot: Snapshot, list: ListName): ShownRows {
  const { revealed } = snapshot.lists[list];
  const isBeside = besidePages(snapshot, list);
  let paged = 0;
  const ids = matching(snapshot, list)
    .sort(compareFacts(snapshot, list))
    .map((fact) => fact.stream.id)
    .filter((id) => {
      if (isBeside(id)) return true;
      paged += 1;
      return paged <= revealed;
    });
  return { ids, isCut: paged > revealed };
}

function matching(snapshot: Snapshot, list: ListName): StreamFact[] {
  return candidates(snapshot, list).filter((fact) => matchesFilter(fact.stream, snapshot.filter));
}

/** Of the streams in a group: those that are in it whether or not a page of it names them. */
function besidePages(snapshot: Snapshot, list: ListName): (id: string) => boolean {
  switch (list) {
    case 'active':
      return () => true;
    case 'idle':
      return (id) => snapshot.left.has(id) || snapshot.pinned.has(id);
    case 'recording': {
      const named = new Set(snapshot.lists.recording.ids);
      return (id) => !named.has(id);
    }
  }
}

function candidates(snapshot: Snapshot, list: ListName): StreamFact[] {
  switch (list) {
    case 'active':
      return [...snapshot.streams.values()].filter((fact) => fact.stream.isActive);
    case 'idle':
      return pick(snapshot, new Set([...snapshot.lists.idle.ids, ...snapshot.left, ...snapshot.pinned])).filter(
        (fact) => !fact.stream.isActive,
      );
    case 'recording': {
      const named = new Set(snapshot.lists.recording.ids);
      return [...snapshot.streams.values()].filter(
        (fact) => (named.has(fact.stream.id) && fact.stream.record) || isRecordingUnlisted(snapshot, fact),
      );
    }
  }
}

/**
 * Is it in Recording though no loaded page of that list should name it? It is live; or that it records was heard after the
 * list; or by reading it back after a change, while lists may lag behind; or the list goes on and may name it further down.
 */
export function isRecordingUnlisted({ lists, settled, left, pinned }: Snapshot, { stream, turn }: StreamFact): boolean {
  if (!stream.record) return false;
  if (stream.isActive) return true;
  const { recording } = lists;
  if (!recording.isLoaded) return false;
  const isShownUnlisted = left.has(stream.id) || pinned.has(stream.id);
  return turn > recording.turn || settled.has(stream.id) || (recording.hasNextPage && isShownUnlisted);
}

function pick(snapshot: Snapshot, ids: Iterable<string>): StreamFact[] {
  const facts: StreamFact[] = [];
  for (const id of ids) {
    const fact = snapshot.streams.get(id);
    if (fact !== undefined) facts.push(fact);
  }
  return facts;
}

/**
 * Live before stale before idle (only the first two are in Active), then the chosen order. Live streams are all
 * "seen now", so among them lastSeen does not order: rows would trade places at every look.
 */
function compareFacts(
  sorting: Pick<Snapshot, 'sort' | 'locale'>,
  list: ListName,
): (a: StreamFact, b: StreamFact) => number {
  return (a, b) => rank(a, list) - rank(b, list) || compareBy(sorting, a, b) || compareIds(a.stream.id, b.stream.id);
}

function rank(fact: StreamFact, list: ListName): number {
  if (list === 'idle') return 0;
  if (isLive(fact)) return 0;
  return fact.stream.isActive ? 1 : 2;
}

function compareBy({ sort, locale }: Pick<Snapshot, 'sort' | 'locale'>, a: StreamFact, b: StreamFact): number {
  const byCreation = (b.stream.createdAt ?? 0) - (a.stream.createdAt ?? 0);
  switch (sort) {
    case 'lastSeen':
      return seenOrder(b) - seenOrder(a) || byCreation;
    case 'createdAt':
      return byCreation;
    case 'name':
      return compareNames(streamLabel(a.stream), streamLabel(b.stream), locale) || byCreation;
  }
}

function seenOrder(fact: StreamFact): number {
  return isLive(fact) ? Number.MAX_SAFE_INTEGER : (fact.stream.lastSeen ?? 0);
}

/** Ids mean nothing to people: any order will do that stays. */
function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** There are no streams, but may be historic child streams of some that were deleted. */
export function hasNoStreams({ lists, streams, filter }: Snapshot): boolean {
  return filter === '' && streams.size === 0 && isKnownEmpty(lists.active) && isKnownEmpty(lists.idle);
}

/** Known to have no rows: it was loaded, nothing is there, and nothing more can be loaded. */
export function isKnownEmpty(state: ListState): boolean {
  return state.isLoaded && state.ids.length === 0 && !state.hasNextPage;
}
