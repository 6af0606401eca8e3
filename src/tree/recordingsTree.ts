import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import {
  dayNode,
  endNodes,
  type Node,
  type NodeOf,
  noticeNode,
  recordingNode,
  recordingsNode,
} from '../model/rows/nodes.ts';
import {
  hasMoreRecordings,
  hidesRecordings,
  recordedStreams,
  type SessionParent,
  sessionParent,
  shownRecordings,
} from '../model/store/recordings.ts';
import { clipsOf, findRecording } from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import type { StreamStore } from '../model/store/store.ts';
import { isConnected, isOutdated } from '../model/store/streams.ts';
import { loadMoreLabel } from '../texts/labels.ts';
import { nameLine } from '../texts/names.ts';
import { dayNumber, formatClock, formatDate, formatDayAndClock } from '../util/dates.ts';
import { dayRow } from './dayRow.ts';
import { failureNotice } from './noticeRows.ts';
import { type DrawingContext, GONE, plainRow, type Row } from './row.ts';
import { type EndTexts, hasSameIds, type Redrawing, type RowKinds, type RowLoader, type TreeShape } from './rowKind.ts';
import { CLIPS_BELOW, drawSessionRow, redrawWithClips } from './sessionRow.ts';

/** Clips are listed by stream. Older recordings show them once their stream is expanded. */
const CLIPS_OF_AT_MOST = 20;

export function recordingsTree(store: StreamStore, loader: RowLoader): TreeShape {
  return {
    loader,
    async ensureRoot() {
      if (store.snapshot.connection.kind !== 'open') return;
      await loader.ensureRecordings();
      void loader.ensureClips(recordedStreams(store.snapshot).slice(0, CLIPS_OF_AT_MOST));
    },
    rootRows,
    find(snapshot, row) {
      const shown = row.kind === 'session' && shownRecordings(snapshot).find((session) => session.id === row.id);
      return shown ? recordingNode(shown.id, shown.parentId) : undefined;
    },
  };
}

export const RECORDING_ROWS: RowKinds<'recordings' | 'day' | 'recording'> = {
  recordings: {
    draw: drawRecordings,
    showsTime: false,
    parent: () => undefined,
    redraw: () => [],
    below: {
      children: (snapshot, _node, drawing) => rootRows(snapshot, drawing),
      ensure: (loader) => loader.ensureRecordings(),
      pollTarget: () => undefined,
      isCounted: false,
      endTexts: recordingsEndTexts,
    },
  },
  day: {
    draw: (_snapshot, { day }, drawing) => dayRow(day, drawing),
    showsTime: true,
    parent: () => undefined,
    redraw: redrawDay,
    below: {
      children: dayRows,
      ensure: () => undefined,
      pollTarget: () => undefined,
      isCounted: false,
    },
  },
  recording: {
    draw: drawRecording,
    showsTime: true,
    parent: (snapshot, { sessionId }, drawing) =>
      dayNode(dayNumber(findRecording(snapshot, sessionId)?.createdAt, drawing)),
    redraw: redrawRecording,
    below: CLIPS_BELOW,
  },
};

function rootRows(snapshot: Snapshot, drawing: DrawingContext): readonly Node[] {
  if (!isConnected(snapshot)) return [];
  const { items, trouble } = snapshot.recordings;
  const notice = failureNotice(snapshot, trouble, items);
  const more = snapshot.recordings.isLoaded && hasMoreRecordings(snapshot);
  return [
    ...(notice === undefined ? [] : [noticeNode(notice, true)]),
    ...[...sessionsByDay(snapshot, drawing).keys()].map(dayNode),
    ...endNodes(recordingsNode(), { isEmpty: false, more, retry: false }),
  ];
}

function dayRows(snapshot: Snapshot, { day }: NodeOf<'day'>, drawing: DrawingContext): readonly Node[] {
  const sessions = sessionsByDay(snapshot, drawing).get(day) ?? [];
  return sessions.map((session) => recordingNode(session.id, session.parentId));
}

type Days = ReadonlyMap<number | undefined, readonly Session[]>;

const daysOf = new WeakMap<readonly Session[], { readonly key: readonly unknown[]; readonly days: Days }>();

// Groups the shown sessions by day, newest first. Cached, because there can be thousands.
function sessionsByDay(snapshot: Snapshot, drawing: DrawingContext): Days {
  const { items, revealed } = snapshot.recordings;
  const key = [revealed, snapshot.recordingsRecordedOnly, drawing.timeZone];
  const known = daysOf.get(items);
  if (known?.key.every((part, at) => part === key[at]) === true) return known.days;
  const days = Map.groupBy(shownRecordings(snapshot), ({ createdAt }) => dayNumber(createdAt, drawing));
  daysOf.set(items, { key, days });
  return days;
}

// Never on screen: the node represents the view, as the list that its last rows belong to.
function drawRecordings(): Row {
  return plainRow('empty', t('Recordings'), { collapsible: 'expanded' });
}

// "18:00 Keynote | 1 h 2 min". A narrow view cuts the end: the time comes first, because a stream may have many
// recordings on a day.
function drawRecording(snapshot: Snapshot, { sessionId }: NodeOf<'recording'>, drawing: DrawingContext): Row {
  const session = findRecording(snapshot, sessionId);
  if (session === undefined) return GONE;
  const name = parentLabel(sessionParent(snapshot, session));
  const clock = formatClock(session.createdAt, drawing);
  return drawSessionRow(
    snapshot,
    session,
    {
      label: clock === undefined ? name : `${clock} ${name}`,
      name,
      spoken: [name, formatDayAndClock(session.createdAt, drawing)],
    },
    drawing,
  );
}

function parentLabel({ kind, id, name }: SessionParent): string {
  if (id !== undefined && name !== undefined) return nameLine({ id, name });
  return kind === 'gone' ? t('Deleted stream') : (id ?? t('Unknown stream'));
}

function recordingsEndTexts(snapshot: Snapshot, _node: NodeOf<'recordings'>, drawing: DrawingContext): EndTexts {
  const { isLoadingMore } = snapshot.recordings;
  return {
    more: loadMoreLabel(),
    ...searchedTexts(snapshot, drawing),
    isLoadingMore,
    retryReason: undefined,
    empty: undefined,
  };
}

// If few sessions have a recording, whole pages add no row. The date shows how far back the loaded pages go.
function searchedTexts(snapshot: Snapshot, drawing: DrawingContext): Pick<EndTexts, 'moreNote' | 'moreTooltip'> {
  const isCut = !snapshot.recordingsRecordedOnly || hidesRecordings(snapshot);
  const date = isCut ? undefined : formatDate(snapshot.recordings.listedBackTo, drawing);
  return date === undefined
    ? {}
    : { moreNote: t('since {0}', date), moreTooltip: t('Searched sessions since {0}', date) };
}

function redrawDay({ changes, painted, drawing, redraw }: Redrawing, node: NodeOf<'day'>): readonly Node[] {
  // All days are requested again together with the root.
  const rows = painted.isRequested(undefined) ? undefined : painted.children(node);
  if (rows === undefined) return [];
  // VS Code aligns the rows of a day by whether any of them can be expanded.
  const hasClips = (snapshot: Snapshot) =>
    rows.some((row) => row.kind === 'recording' && clipsOf(snapshot, row.streamId, row.sessionId).length > 0);
  const isSame = hasSameIds(rows, dayRows(changes.current, node, drawing));
  return isSame && hasClips(changes.previous) === hasClips(changes.current) ? rows.flatMap(redraw) : [node];
}

function redrawRecording(redrawing: Redrawing, node: NodeOf<'recording'>): readonly Node[] {
  const { previous, current, streams } = redrawing.changes;
  const [before, now] = [previous.recordings, current.recordings];
  const isChanged =
    previous.clips !== current.clips ||
    before.items !== now.items ||
    before.parents !== now.parents ||
    // Recordings that are being processed turn gray.
    isOutdated(previous) !== isOutdated(current) ||
    (node.streamId !== undefined && streams.has(node.streamId));
  return isChanged ? redrawWithClips(redrawing, node) : [];
}
