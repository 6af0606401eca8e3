import { t } from '@vscode/l10n';
import {
  clipNode,
  endNodes,
  filterNode,
  groupNode,
  type Node,
  type NodeOf,
  noticeNode,
  sessionNode,
  streamNode,
  streamRowId,
} from '../model/rows/nodes.ts';
import { clipsOf, findSession } from '../model/store/sessions.ts';
import { LIST_NAMES, type ListName, type Snapshot } from '../model/store/snapshot.ts';
import type { StreamStore } from '../model/store/store.ts';
import {
  awaitsFilter,
  countUnloaded,
  hasMore,
  hasNoStreams,
  isAccountEmpty,
  isConnected,
  isFilteredHere,
  isLive,
  isOutdated,
  isShown,
  liveStreams,
  matchingTotal,
  offersRetry,
  shownIds,
  showsNone,
} from '../model/store/streams.ts';
import { idleLabel, loadingLabel, loadMoreLabel } from '../texts/labels.ts';
import { countedText } from '../texts/names.ts';
import { streamsWord } from '../texts/streams.ts';
import { outdatedWords, troubleSentence } from '../texts/troubles.ts';
import { formatCount } from '../util/format.ts';
import { joinParts, joinWords } from '../util/text.ts';
import {
  childStreamRootRows,
  childStreamRows,
  childStreamTrouble,
  ensureChildStreamRoot,
  ensureChildStreamRows,
} from './childStreamRows.ts';
import { groupValue } from './contextValues.ts';
import { isFilteredOut, matchesNothing } from './filterRow.ts';
import { countedStreams } from './liveCount.ts';
import { isUnread, streamsNotices } from './noticeRows.ts';
import type { DrawingContext, Row } from './row.ts';
import { type EndTexts, hasSameIds, type Redrawing, type RowKinds, type RowLoader, type TreeShape } from './rowKind.ts';
import type { SnapshotChanges } from './snapshotChanges.ts';
import { drawStream } from './streamRow.ts';
import { paragraphs } from './tooltip.ts';

// Larger groups are redrawn as a whole only if there is no other way (src/host/README.md, Trees).
const LARGE_GROUP = 200;
// Shorter groups start expanded.
const SHORT_GROUP = 20;

type Store = Pick<StreamStore, 'snapshot'>;
type GroupNode = NodeOf<'group'>;
type StreamNode = NodeOf<'stream'>;

export function streamsTree(store: Store, loader: RowLoader): TreeShape {
  return {
    loader,
    ensureRoot: () => ensureRoot(store, loader),
    rootRows,
    isRootOutdated,
    find(snapshot, row) {
      if (row.kind === 'group') return groupNode(row.list, snapshot.filter);
      const streamId = row.kind === 'stream' ? row.id : row.streamId;
      const list = LIST_NAMES.find((name) => isShown(snapshot, name, streamId));
      if (list === undefined) return undefined;
      if (row.kind === 'stream') return streamNode(list, streamId);
      const sessionId = row.kind === 'session' ? row.id : row.sessionId;
      const session = findSession(snapshot, streamId, sessionId) && sessionNode(list, streamId, sessionId);
      if (row.kind === 'session' || session === undefined) return session;
      const isListed = clipsOf(snapshot, streamId, sessionId).some(({ id }) => id === row.id);
      return isListed ? clipNode(session, row.id) : undefined;
    },
  };
}

export const STREAM_ROWS: RowKinds<'group' | 'stream'> = {
  group: {
    draw: drawGroup,
    showsTime: true,
    parent: () => undefined,
    redraw: redrawGroup,
    below: {
      children: groupRows,
      // VS Code draws no rows of the view until it has those of all expanded groups.
      ensure(loader, { filter }, { list }) {
        const loading = loader.ensureList(list);
        return filter ? undefined : loading;
      },
      pollTarget: ({ list }) => ({ kind: 'list', list }),
      isCounted: true,
      isOverdue: isGroupOverdue,
      // A filter may hide a group for a while.
      formerIds: () => [],
      endTexts: groupEndTexts,
    },
  },
  stream: {
    draw: drawStream,
    showsTime: true,
    parent: ({ filter }, { list }) => groupNode(list, filter),
    redraw: redrawStream,
    below: {
      children: streamRows,
      async ensure(loader, snapshot, { streamId }) {
        await Promise.all([loader.ensureSessions(streamId), ensureChildStreamRows(loader, snapshot, streamId)]);
        void loader.ensureClips([streamId]);
      },
      pollTarget: ({ streamId }) => ({ kind: 'stream', streamId }),
      isCounted: false,
      formerIds: (snapshot, { list, streamId }) =>
        LIST_NAMES.filter((other) => other !== list && !isShown(snapshot, other, streamId)).map((other) =>
          streamRowId(other, streamId),
        ),
      endTexts: streamEndTexts,
    },
  },
};

// Loads the active streams and, if none is live, the idle ones too, so that the first paint shows something. Otherwise
// counts the idle ones: a short group starts expanded. With a filter, doesn't wait for the idle streams.
async function ensureRoot(store: Store, loader: RowLoader): Promise<void> {
  const { generation } = store.snapshot;
  if (!isConnected(store.snapshot)) return;
  await loader.ensureList('active');
  const { snapshot } = store;
  if (snapshot.generation !== generation) return ensureRoot(store, loader);
  if (!snapshot.lists.active.isLoaded) return;
  const wantsNumbersOnly = snapshot.filter === '' && liveStreams(snapshot).length > 0;
  if (wantsNumbersOnly) await loader.ensureCounts();
  else if (snapshot.filter === '') await loader.ensureList('idle');
  if (store.snapshot.generation !== generation) return ensureRoot(store, loader);
  if (wantsNumbersOnly) return;
  void loader.ensureCounts();
  await ensureChildStreamRoot(loader, store.snapshot);
}

export function rootRows(snapshot: Snapshot): readonly Node[] {
  if (!isConnected(snapshot)) return [];
  const notices = streamsNotices(snapshot);
  if (isAccountEmpty(snapshot)) return notices;
  const filter = snapshot.filter === '' ? [] : [filterNode()];
  const clear = matchesNothing([snapshot]) ? [noticeNode('clearFilter')] : [];
  const groups = LIST_NAMES.filter((list) => !isFilteredOut(snapshot, list)).map((list) =>
    groupNode(list, snapshot.filter),
  );
  const isUnknown = isOutdated(snapshot) && isUnread(snapshot);
  return [...notices, ...filter, ...clear, ...(isUnknown ? [] : [...groups, ...childStreamRootRows(snapshot)])];
}

// No stream is live, or none is left. Redrawing the root then loads Idle and child streams, as on first paint.
function isRootOutdated({ previous, current }: SnapshotChanges): boolean {
  if (hasNoStreams(current)) return !hasNoStreams(previous);
  const { active, idle } = current.lists;
  if (!active.isLoaded || idle.isLoaded || idle.trouble !== undefined || liveStreams(current).length > 0) return false;
  return !previous.lists.active.isLoaded || (isEmptied(current) && !isEmptied(previous));
}

// No stream is shown, or the service counts none.
function isEmptied(snapshot: Snapshot): boolean {
  if (snapshot.filter !== '' || liveStreams(snapshot).length > 0) return false;
  return snapshot.streamCount === 0 || showsNone(snapshot);
}

function drawGroup(snapshot: Snapshot, { list }: GroupNode, drawing: DrawingContext): Row {
  const { isLoaded, isStale } = snapshot.lists[list];
  const label = groupLabel(list);
  const loading = awaitsFilter(snapshot, list) && loadingLabel();
  const count = loading || countText(snapshot, list, drawing);
  const outOfDate = isLoaded && isStale && t('may be out of date');
  return {
    label,
    description: joinParts(count, outOfDate),
    tooltip: groupTooltip(snapshot, list, drawing),
    contextValue: groupValue(list),
    collapsible: startsExpanded(snapshot, list) ? 'expanded' : 'collapsed',
    accessibilityLabel: joinWords(label, list === 'active' ? count : loading || streamsWord(count), outOfDate),
  };
}

function groupLabel(list: ListName): string {
  switch (list) {
    case 'active':
      return t('Active');
    case 'idle':
      return idleLabel();
    case 'recording':
      return t('Recording On');
  }
}

// Active starts expanded, and so does Idle if it's short, no stream is live, or a filter is set. VS Code only uses the
// state of the first rendering.
function startsExpanded(snapshot: Snapshot, list: ListName): boolean {
  if (list !== 'idle') return list === 'active';
  const { active, idle } = snapshot.lists;
  if (snapshot.filter !== '') return true;
  if (active.isLoaded && liveStreams(snapshot).length === 0) return true;
  const isWhole = idle.isLoaded && !hasMore(snapshot, list);
  const count = isWhole ? shownIds(snapshot, list).length : countUnloaded(snapshot, list);
  return count !== undefined && count <= SHORT_GROUP;
}

function countText(snapshot: Snapshot, list: ListName, drawing: DrawingContext): string | undefined {
  const { locale } = drawing;
  if (snapshot.lists[list].isLoaded) {
    // Streams that are no longer counted as live anywhere are rows like any other.
    const isLost = countedStreams(snapshot, drawing) === undefined;
    return list === 'active' && !isLost ? activeText(snapshot, locale) : loadedText(snapshot, list, locale);
  }
  return list === 'active' ? undefined : formatCount(countUnloaded(snapshot, list), locale);
}

// Live streams are counted as in the badge and the Status Bar.
function activeText(snapshot: Snapshot, locale: string): string {
  const ids = shownIds(snapshot, 'active');
  const live = ids.filter((id) => isLiveIn(snapshot, id)).length;
  const silent = formatCount(ids.length - live, locale) ?? '';
  const count = `${formatCount(live, locale) ?? ''}${hasMore(snapshot, 'active') ? '+' : ''}`;
  return ids.length === live ? t('{0} live', count) : t('{0} live, {1} without data', count, silent);
}

function isLiveIn({ streams }: Snapshot, id: string): boolean {
  const fact = streams.get(id);
  return fact !== undefined && isLive(fact);
}

function loadedText(snapshot: Snapshot, list: ListName, locale: string): string | undefined {
  const shown = shownIds(snapshot, list).length;
  const total = matchingTotal(snapshot, list);
  const count = formatCount(shown, locale);
  if (!hasMore(snapshot, list) || count === undefined) return count;
  if (shown === 0 && total === undefined) return undefined;
  return total !== undefined && total > shown ? countedText(count, formatCount(total, locale) ?? '') : `${count}+`;
}

const MEANINGS: Readonly<Record<ListName, () => string>> = {
  active: () => t('Streams that the service reports as live'),
  idle: () => t("Streams that aren't live"),
  recording: () => t('Streams with recording turned on'),
};

function groupTooltip(snapshot: Snapshot, list: ListName, { locale }: DrawingContext): Row['tooltip'] {
  const { unreadable, isStale } = snapshot.lists[list];
  return () => ({
    markdown: paragraphs(
      [MEANINGS[list]()],
      [unreadable > 0 && unreadableSentence(unreadable, locale)],
      [isStale && t("Some streams that just ended aren't listed yet. Refresh to show them.")],
    ),
  });
}

function unreadableSentence(count: number, locale: string): string {
  if (count === 1) return t("1 item couldn't be read and isn't shown.");
  return t("{0} items couldn't be read and aren't shown.", formatCount(count, locale) ?? '');
}

function groupRows(snapshot: Snapshot, group: GroupNode): readonly Node[] {
  const { list } = group;
  const { isLoaded, trouble, missing } = snapshot.lists[list];
  const rows = shownIds(snapshot, list).map((id) => streamNode(list, id));
  const more = list !== 'active' && hasMore(snapshot, list) && !awaitsFilter(snapshot, list);
  // If rows are shown, the view's message reports a failed refresh: a row would make the list jump.
  const hasFailed = missing > 0 || (trouble !== undefined && (list !== 'active' || !isLoaded));
  const retry = hasFailed && offersRetry(snapshot, snapshot.lists[list]);
  // If the key was rejected, retrying is pointless, and an empty row says why.
  const isEmpty = rows.length === 0 && (isLoaded || (hasFailed && !retry));
  return [...rows, ...endNodes(group, { isEmpty, more, retry })];
}

function streamRows(snapshot: Snapshot, node: StreamNode): readonly Node[] {
  const { list, streamId } = node;
  const sessions = snapshot.sessions.get(streamId);
  const ids = new Set(sessions?.items.slice(0, sessions.revealed).map((session) => session.id));
  const sessionRows = [...ids].map((id) => sessionNode(list, streamId, id));
  const children = childStreamRows(snapshot, node);
  const more = sessions !== undefined && (sessions.hasNextPage || sessions.items.length > sessions.revealed);
  const trouble = streamTrouble(snapshot, streamId);
  const retry = trouble !== undefined && offersRetry(snapshot, sessions);
  const isKnown = sessions?.isLoaded === true || (trouble !== undefined && !retry);
  const isEmpty = isKnown && sessionRows.length + children.length === 0;
  return [
    ...sessionRows,
    ...endNodes(node, { isEmpty, more, retry: false }),
    ...children,
    ...endNodes(node, { isEmpty: false, more: false, retry }),
  ];
}

function streamTrouble(snapshot: Snapshot, streamId: string) {
  return snapshot.sessions.get(streamId)?.trouble ?? childStreamTrouble(snapshot, streamId);
}

function groupEndTexts(snapshot: Snapshot, { list }: GroupNode, drawing: DrawingContext): EndTexts {
  const { trouble, missing, isLoaded, isLoadingMore } = snapshot.lists[list];
  // A row above says what's wrong with the connection.
  const failed = trouble && (outdatedWords(snapshot) ?? troubleSentence(trouble.error, snapshot));
  const retryReason = failed ?? missingWord(missing, drawing);
  const empty = snapshot.filter === '' ? emptyLabel(list) : t('No matching streams');
  return {
    more: loadMoreLabel(),
    ...loadedOnlyTexts(snapshot, list, drawing),
    isLoadingMore,
    retryReason,
    empty: isLoaded ? empty : (retryReason ?? empty),
  };
}

// Streams that aren't loaded may match a filter or sort between the loaded ones.
function loadedOnlyTexts(
  snapshot: Snapshot,
  list: ListName,
  { locale }: DrawingContext,
): Pick<EndTexts, 'moreNote' | 'moreTooltip'> {
  const { ids, hasNextPage, isSorted } = snapshot.lists[list];
  if (list === 'active' || !hasNextPage) return {};
  const isFiltered = isFilteredHere(snapshot, list);
  const count = formatCount(ids.length, locale) ?? '';
  if (!isSorted && isFiltered) {
    return {
      moreNote: t('only {0} filtered and sorted', count),
      moreTooltip: t('Only the {0} loaded streams are filtered and sorted. Select Load More to include others.', count),
    };
  }
  if (isFiltered) {
    return {
      moreNote: t('only {0} filtered', count),
      moreTooltip: t('Only the {0} loaded streams are filtered. Select Load More to include others.', count),
    };
  }
  if (isSorted) return {};
  return {
    moreNote: t('only {0} sorted', count),
    moreTooltip: t('Only the {0} loaded streams are sorted. Select Load More to include others.', count),
  };
}

function missingWord(missing: number, { locale }: DrawingContext): string | undefined {
  if (missing === 0) return undefined;
  if (missing === 1) return t("1 stream couldn't be loaded");
  return t("{0} streams couldn't be loaded", formatCount(missing, locale) ?? '');
}

function emptyLabel(list: ListName): string {
  switch (list) {
    case 'active':
      return t('No live streams');
    case 'idle':
      return t('No idle streams');
    case 'recording':
      return t('No streams have recording turned on');
  }
}

function streamEndTexts(snapshot: Snapshot, { streamId }: StreamNode): EndTexts {
  const sessions = snapshot.sessions.get(streamId);
  // A service lists a session some time after its broadcast begins, or never.
  const isAwaited = snapshot.streams.get(streamId)?.stream.isActive;
  const error = streamTrouble(snapshot, streamId)?.error;
  // Below a stream, `notFound` doesn't mean that the service's URL is wrong.
  const isGone = error?.reason === 'notFound';
  const retryReason = isGone ? t('This stream no longer exists.') : error && troubleSentence(error, snapshot);
  return {
    more: loadMoreLabel(),
    isLoadingMore: sessions?.isLoading === true,
    retryReason,
    empty:
      (sessions?.isLoaded !== true && retryReason) || (isAwaited ? t('Session not listed yet') : t('No sessions yet')),
  };
}

function redrawGroup(redrawing: Redrawing, group: GroupNode): readonly Node[] {
  const { changes, painted, redraw } = redrawing;
  if (changes.lists.has(group.list) && isGroupOutdated(redrawing, group)) return [group];
  // Few streams change out of many, so search for their rows, not the reverse.
  const ids = new Set([...changes.streams, ...changes.subLists, ...changes.loading]);
  const streams = [...ids].map((id) => painted.node(streamRowId(group.list, id))).filter((row) => row !== undefined);
  const ends = painted.children(group)?.slice(-2) ?? [];
  return [...new Set([...streams, ...ends])].flatMap(redraw);
}

// Redrawing a group redraws all its rows.
function isGroupOutdated({ changes, painted, isOutdated }: Redrawing, group: GroupNode): boolean {
  const { current, relisted } = changes;
  // The response will be up to date, and `TreeModel` then checks the group's own row.
  if (painted.isRequested(group)) return false;
  const rows = painted.children(group);
  if (rows !== undefined && isReset(changes, group)) return true;
  const isSmall = rows === undefined || rows.length <= LARGE_GROUP;
  if (isSmall && isOutdated(group)) return true;
  if (rows === undefined) return false;
  const now = groupRows(current, group);
  if (hasSameIds(rows, now)) return false;
  return isSmall || relisted.has(group.list) || hasNewcomer(changes, rows, now);
}

function isGroupOverdue({ changes, painted, isOutdated }: Redrawing, group: GroupNode): boolean {
  const rows = painted.children(group);
  if (rows === undefined || rows.length <= LARGE_GROUP) return false;
  return isOutdated(group) || !hasSameIds(rows, groupRows(changes.current, group));
}

// The group has to load again, which only happens when its children are requested.
function isReset({ previous, current }: SnapshotChanges, { list }: GroupNode): boolean {
  return previous.lists[list].isLoaded && !current.lists[list].isLoaded;
}

// Whether a row has to appear. Rows that only move up, because another one left, can wait until the next listing.
function hasNewcomer(
  { previous, current, streams }: SnapshotChanges,
  rows: readonly Node[],
  now: readonly Node[],
): boolean {
  const isNew = (id: string) =>
    streams.has(id) ||
    current.leftActive.has(id) !== previous.leftActive.has(id) ||
    current.pinnedIds.has(id) !== previous.pinnedIds.has(id);
  // Few rows changed out of many, so search for the changed ones, not the reverse.
  const newer = now.filter((row) => (row.kind === 'stream' ? isNew(row.streamId) : row.kind === 'retry'));
  return newer.some(({ id }) => !rows.some((row) => row.id === id));
}

// A live stream changes with each poll, mostly in ways that its row doesn't show. Redrawing it would close the tooltips
// and menus of all rows below.
function redrawStream(redrawing: Redrawing, node: StreamNode): readonly Node[] {
  const { changes, painted, isOutdated, redraw } = redrawing;
  if (isOutdated(node)) return [node];
  const rows = painted.children(node);
  if (rows === undefined) return [];
  const isSame = !hasToLoadSessions(changes, node) && hasSameIds(rows, streamRows(changes.current, node));
  return isSame ? rows.flatMap(redraw) : [node];
}

function hasToLoadSessions({ previous, current }: SnapshotChanges, { streamId }: StreamNode): boolean {
  return previous.sessions.get(streamId)?.isLoaded === true && current.sessions.get(streamId)?.isLoaded !== true;
}
