import type { NamedStream, PlayableStream, Stream } from '../../api/types.ts';
import { compareNames } from '../../util/names.ts';
import { isBlank } from '../../util/text.ts';
import { LIST_NAMES, type ListName, type Snapshot, type StreamFact } from './snapshot.ts';

/** The service's own clean-up waits equally long (src/api/README.md, Streams). */
export const STALE_AFTER_MS = 90_000;

// In random order, every second row is out of place.
const MISPLACED_OF = 4;

/**
 * The state of a stream according to one response. It doesn't change between responses. A suspended stream is suspended
 * immediately, although the service reports it as active until it has ended the broadcast.
 */
export type StreamState = 'live' | 'stale' | 'idle' | 'suspended';

/** Whether it belongs in Active. A suspended stream leaves Active immediately, as its row shows. */
export function isOnAir({ isActive, suspended }: Stream): boolean {
  return isActive && suspended !== true;
}

export function isStale(fact: StreamFact): boolean {
  const { lastSeen } = fact.stream;
  return isOnAir(fact.stream) && lastSeen !== undefined && fact.serverDate - lastSeen > STALE_AFTER_MS;
}

/** Whether the service restricts who may watch it, as far as is known. */
export function isPrivate({ playbackPolicy }: PlayableStream): boolean {
  return playbackPolicy !== undefined && playbackPolicy.type !== 'public';
}

/** Whether it plays only with a token that is signed with one of the account's keys. */
export function needsToken({ playbackPolicy }: PlayableStream): boolean {
  return playbackPolicy?.type === 'jwt';
}

/** Whether it's active and neither stale nor suspended. The badge, Status Bar, and notifications count these. */
export function isLive(fact: StreamFact): boolean {
  return isOnAir(fact.stream) && !isStale(fact);
}

export function isConnected({ connection: { kind } }: Snapshot): boolean {
  return kind === 'open' || kind === 'refused';
}

/** Whether the data about live streams is known to be old, because the last poll failed or the key was rejected. */
export function isOutdated({ connection, trouble }: Snapshot): boolean {
  return connection.kind === 'refused' || trouble !== undefined;
}

/** Whether the service has failed in another way since it rejected the key. The key is still rejected. */
export function hasFailedSinceRefusal({ connection, trouble }: Snapshot): boolean {
  return connection.kind === 'refused' && trouble !== undefined && trouble.error.reason !== 'unauthorized';
}

/** While data is outdated, returns a reader whose clock stands at the last response: broadcasts may have ended since. */
export function atLastAnswer<R extends { readonly now: number }>(snapshot: Snapshot, reader: R): R {
  const { loadedAt } = snapshot.lists.active;
  if (!isOutdated(snapshot) || loadedAt === undefined) return reader;
  return { ...reader, now: Math.min(reader.now, loadedAt) };
}

export function streamState(fact: StreamFact): StreamState {
  if (fact.stream.suspended === true) return 'suspended';
  if (!fact.stream.isActive) return 'idle';
  return isStale(fact) ? 'stale' : 'live';
}

export function streamLabel(stream: NamedStream): string {
  return isBlank(stream.name) ? stream.id : stream.name;
}

/** A tag and its value, such as "event:Summit". Doesn't match names that contain times, or names such as "Show: Morning". */
const TAG_FILTER = /^([^\s\d:][^:]*):(\S.*)?$/u;

/** Whether services apply only a part of a filter or none: they can't filter by tag and match only a whole text. */
export function isOfThisWindow(filter: string): boolean {
  return nameFilter(filter) !== filter;
}

/** Returns the part of a filter that services apply (src/api/README.md, Lists): of several words, the longest. */
export function nameFilter(filter: string): string {
  if (TAG_FILTER.test(filter)) return '';
  return wordsOf(filter).reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

function wordsOf(filter: string): readonly string[] {
  return filter.split(/\s+/u);
}

export function hasNamePart({ name }: NamedStream, part: string): boolean {
  return name.toLowerCase().includes(part.toLowerCase());
}

type Ids = Pick<Stream, 'id'> & Partial<Pick<Stream, 'playbackId'>>;

// Shorter strings occur in many IDs by chance.
const PART_OF_ID_LENGTH = 4;

/** Returns the ID or playback ID that contains a string of at least 4 characters. */
export function idWithPart({ id, playbackId }: Ids, part: string): string | undefined {
  const has = (each = '') => each.toLowerCase().includes(part.toLowerCase());
  return part.length < PART_OF_ID_LENGTH ? undefined : [playbackId, id].find(has);
}

/**
 * Matches by the words of the name, in any order, by ID, or by playback ID. If the filter is for a tag, also matches by
 * tag. "tag:Summit" matches any tag.
 */
export function matchesFilter(stream: Ids & Pick<Stream, 'name' | 'tags'>, filter: string): boolean {
  if (wordsOf(filter).every((word) => hasNamePart(stream, word))) return true;
  const { tags } = stream;
  if (idWithPart(stream, filter) !== undefined) return true;
  const [, tag, part = ''] = TAG_FILTER.exec(filter.toLowerCase()) ?? [];
  if (tag === undefined || tags === undefined) return false;
  return Object.entries(tags).some(([key, value]) => {
    const words = tagWords(value);
    if (tag === 'tag') words.push(key);
    return (tag === 'tag' || tag === key.toLowerCase()) && words.some((word) => word.toLowerCase().includes(part));
  });
}

function tagWords(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
}

/** Whether the service doesn't apply the filter to a group, so that only the loaded rows are filtered. */
export function isFilteredHere({ filter, lists }: Snapshot, list: ListName): boolean {
  return filter !== '' && (isOfThisWindow(filter) || !lists[list].isFiltered);
}

/** Whether the service hasn't yet responded which streams of a group match the filter. */
export function awaitsFilter({ filter, lists }: Snapshot, list: ListName): boolean {
  const { isLoaded, isLoading, isFiltered, trouble } = lists[list];
  return filter !== '' && (isLoaded ? (isFiltered ?? trouble) === undefined : isLoading);
}

/** Returns how many streams of a group match the filter by the service's count; undefined if unknown. */
export function matchingTotal(snapshot: Snapshot, list: ListName): number | undefined {
  return isOfThisWindow(snapshot.filter) ? undefined : snapshot.lists[list].total;
}

export function liveStreams(snapshot: Snapshot): readonly StreamFact[] {
  return [...snapshot.streams.values()].filter(isLive);
}

/** Returns how many streams belong in Active, live or not. All of them are known. */
export function countActive({ streams }: Pick<Snapshot, 'streams'>): number {
  let count = 0;
  for (const { stream } of streams.values()) if (isOnAir(stream)) count += 1;
  return count;
}

/** Returns how many streams a group has that isn't loaded; undefined if unknown. */
export function countUnloaded(snapshot: Snapshot, list: 'idle' | 'recording'): number | undefined {
  const { streamCount, filter, lists, streams } = snapshot;
  if (isOfThisWindow(filter) && list === 'recording') {
    if (!lists.idle.isLoaded || hasMore(snapshot, 'idle')) return undefined;
    const ids = [...shownIds(snapshot, 'active'), ...shownIds(snapshot, 'idle')];
    return ids.filter((id) => streams.get(id)?.stream.record).length;
  }
  if (list === 'recording' || filter !== '') {
    // The service doesn't filter by ID, so rows here may outnumber its total.
    const total = matchingTotal(snapshot, list);
    return total === undefined ? undefined : Math.max(total, shownIds(snapshot, list).length);
  }
  // Changes with each stream that goes live or ends.
  return streamCount && Math.max(0, streamCount - countActive(snapshot));
}

/** Returns sorted IDs: those in its pages, up to `revealed`, and all others that are known to belong to the group. */
export function shownIds(snapshot: Snapshot, list: ListName): readonly string[] {
  return shownRows(snapshot, list).ids;
}

export function isShown(snapshot: Snapshot, list: ListName, id: string): boolean {
  const rows = shownRows(snapshot, list);
  rows.set ??= new Set(rows.ids);
  return rows.set.has(id);
}

export function hasMore(snapshot: Snapshot, list: ListName): boolean {
  return snapshot.lists[list].hasNextPage || shownRows(snapshot, list).isCut;
}

interface ShownRows {
  readonly ids: readonly string[];
  readonly isCut: boolean;
  set?: ReadonlySet<string>;
}

// Cached per snapshot, because each change requests a group's rows many times and sorting thousands is slow.
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
  const ids = [...snapshot.streams.values()]
    .filter(belongsTo(snapshot, list))
    .filter((fact) => matchesFilter(fact.stream, snapshot.filter))
    .sort(compareFacts(snapshot, list))
    .map((fact) => fact.stream.id)
    .filter((id) => {
      if (isBeside(id)) return true;
      paged += 1;
      return paged <= revealed;
    });
  return { ids, isCut: paged > revealed };
}

function besidePages(snapshot: Snapshot, list: ListName): (id: string) => boolean {
  switch (list) {
    case 'active':
      return () => true;
    case 'idle':
      return (id) => snapshot.leftActive.has(id) || snapshot.pinnedIds.has(id);
    case 'recording': {
      const named = new Set(snapshot.lists.recording.ids);
      return (id) => !named.has(id);
    }
  }
}

function belongsTo(snapshot: Snapshot, list: ListName): (fact: StreamFact) => boolean {
  const named = new Set(snapshot.lists[list].ids);
  const isBeside = besidePages(snapshot, list);
  switch (list) {
    case 'active':
      return ({ stream }) => isOnAir(stream);
    case 'idle':
      return ({ stream }) => !isOnAir(stream) && (named.has(stream.id) || isBeside(stream.id));
    case 'recording':
      return (fact) => (named.has(fact.stream.id) && fact.stream.record) || isRecordingUnlisted(snapshot, fact);
  }
}

/**
 * Whether a stream is in Recording On even if no loaded page of that list contains it: it's live; or its `record` was
 * read after the list; or it was read back after a change, while lists may be stale; or the list has more pages, which
 * may contain it.
 */
export function isRecordingUnlisted(
  { lists, recentChanges, leftActive, pinnedIds }: Snapshot,
  { stream, requestSeq }: StreamFact,
): boolean {
  if (!stream.record) return false;
  if (stream.isActive) return true;
  const { recording } = lists;
  if (!recording.isLoaded) return false;
  const isShownUnlisted = leftActive.has(stream.id) || pinnedIds.has(stream.id);
  return (
    requestSeq > recording.requestSeq || recentChanges.has(stream.id) || (recording.hasNextPage && isShownUnlisted)
  );
}

/**
 * Sorts live before stale before idle. Live streams aren't sorted by `lastSeen`, or rows would swap at every poll.
 * Streams that are equal in the chosen sort keep the order of the requested lists, or Load More would add rows above.
 */
function compareFacts(sorting: Snapshot, list: ListName): (a: StreamFact, b: StreamFact) => number {
  return (a, b) =>
    rank(a, list) - rank(b, list) || compareSeen(sorting, a, b) || compareLiveStreams(sorting, a.stream, b.stream);
}

function rank(fact: StreamFact, list: ListName): number {
  if (list === 'idle') return 0;
  if (isLive(fact)) return 0;
  return isOnAir(fact.stream) ? 1 : 2;
}

function compareSeen({ sort, createdIds }: Snapshot, a: StreamFact, b: StreamFact): number {
  return sort === 'lastSeen' ? seenOrder(b, createdIds) - seenOrder(a, createdIds) : 0;
}

/** Compares live streams. Their order is the same after each poll, because it doesn't depend on `lastSeen`. */
export function compareLiveStreams({ sort, locale }: Snapshot, a: Stream, b: Stream): number {
  const order =
    sort === 'name' ? compareNames(streamLabel(a), streamLabel(b), locale) : (b.createdAt ?? 0) - (a.createdAt ?? 0);
  return order || compareIds(b.id, a.id);
}

/**
 * Whether a service sent rows in this order. Some may be out of place, because services compare names in their own way
 * and streams go live between two pages.
 */
export function isInOrder(streams: readonly Stream[], { sort, locale }: Snapshot): boolean {
  const isBefore = (a: Stream, b: Stream): boolean => {
    if (sort === 'name') return compareNames(streamLabel(a), streamLabel(b), locale) <= 0;
    return (a[sort] ?? 0) >= (b[sort] ?? 0);
  };
  const misplaced = streams.filter((stream, at) => {
    const above = streams[at - 1];
    return above !== undefined && !isBefore(above, stream);
  });
  return misplaced.length * MISPLACED_OF <= streams.length;
}

// A stream that was created here is new to the user, so it isn't sorted below all that were ever live.
function seenOrder(fact: StreamFact, createdIds: ReadonlySet<string>): number {
  const { id, lastSeen } = fact.stream;
  if (isLive(fact) || (lastSeen === undefined && createdIds.has(id))) return Number.MAX_SAFE_INTEGER;
  return lastSeen ?? 0;
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether no group has rows. */
export function showsNone(snapshot: Snapshot): boolean {
  return LIST_NAMES.every((list) => shownIds(snapshot, list).length === 0);
}

/**
 * Ignores child streams, which may remain from deleted streams, and streams that were read by ID but aren't in a list.
 * A stale replica may still list a stream that was just deleted as active.
 */
export function hasNoStreams(snapshot: Snapshot): boolean {
  const { active, idle } = snapshot.lists;
  const isKnown = [active, idle].every(({ isLoaded, hasNextPage }) => isLoaded && !hasNextPage);
  return isKnown && snapshot.filter === '' && idle.ids.length === 0 && showsNone(snapshot);
}

/**
 * Whether a nested list offers a retry. Not if the key was rejected, because only another key helps. Not while polls
 * fail if the list has loaded rows or all connections are shown: the first row or the connection's row offers it then.
 */
export function offersRetry(
  { connection, trouble, showsAllConnections }: Snapshot,
  list: { readonly isLoaded: boolean } | undefined,
): boolean {
  return connection.kind === 'open' && !(trouble && (list?.isLoaded || showsAllConnections));
}

/** Whether the account is known to have no streams. The tree is then empty, so that the welcome view shows. */
export function isAccountEmpty(snapshot: Snapshot): boolean {
  const { orphans, settings } = snapshot;
  const isWithoutOrphans = orphans.isLoaded && orphans.items.length === 0 && !orphans.hasNextPage;
  return hasNoStreams(snapshot) && (!settings.showHistoricChildStreams || isWithoutOrphans);
}
