import type { Session } from '../api/types.ts';
import type { StreamLoader } from '../model/loading/loader.ts';
import { hasMoreRecordings, shownRecordings } from '../model/store/recordings.ts';
import { findRecording } from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import type { StreamStore } from '../model/store/store.ts';
import { dayNumber } from '../util/dates.ts';
import { notices } from './children.ts';
import { dayNode, endNode, type Node, noticeNode, recordingNode, recordingsNode } from './nodes.ts';
import { hasSameIds, type Redrawing } from './redraw.ts';
import type { DrawingContext } from './row.ts';
import { drawRow } from './rows.ts';
import { compareSnapshots } from './snapshotChanges.ts';
import type { TreeShape } from './treeShape.ts';

type Days = ReadonlyMap<number | undefined, readonly Session[]>;
type FindDays = (snapshot: Snapshot, drawing: DrawingContext) => Days;

export function recordingsTree(
  store: Pick<StreamStore, 'snapshot'>,
  loader: Pick<StreamLoader, 'ensureRecordings'>,
): TreeShape {
  const findDays = rememberDays();
  return {
    async ensure(node) {
      if (node === undefined && store.snapshot.connection.kind === 'open') await loader.ensureRecordings();
    },
    children: (snapshot, node, drawing) => childrenOf(snapshot, node, findDays(snapshot, drawing)),
    parent: (snapshot, node, drawing) => parentOf(snapshot, node, drawing),
    find(snapshot, row) {
      const shown = row.kind === 'session' && shownRecordings(snapshot).find((session) => session.id === row.id);
      return shown ? recordingNode(shown.id, shown.parentId) : undefined;
    },
    redraw: (redrawing) => rowsToRedraw(redrawing, findDays),
  };
}

function childrenOf(snapshot: Snapshot, node: Node | undefined, days: Days): readonly Node[] {
  if (node === undefined) return rootRows(snapshot, days);
  if (node.kind !== 'day') return [];
  return (days.get(node.day) ?? []).map((session) => recordingNode(session.id, session.parentId));
}

function rootRows(snapshot: Snapshot, days: Days): readonly Node[] {
  const { kind } = snapshot.connection;
  if (kind !== 'open' && kind !== 'refused') return [];
  const first = notices(snapshot).filter((notice) => notice !== 'demo');
  const { isLoaded, trouble } = snapshot.recordings;
  return [
    ...first.map(noticeNode),
    ...[...days.keys()].map(dayNode),
    ...(isLoaded && hasMoreRecordings(snapshot) ? [endNode('more', recordingsNode())] : []),
    // The first row already shows that the key is refused.
    ...(trouble !== undefined && kind === 'open' ? [endNode('retry', recordingsNode())] : []),
  ];
}

function parentOf(snapshot: Snapshot, node: Node, drawing: DrawingContext): Node | undefined {
  if (node.kind !== 'recording') return undefined;
  return dayNode(dayNumber(findRecording(snapshot, node.sessionId)?.createdAt, drawing));
}

function rowsToRedraw(
  { previous, current, painted, drawing }: Redrawing,
  findDays: FindDays,
): readonly Node[] | 'root' {
  const root = painted.children(undefined);
  if (root === undefined) return [];
  const days = findDays(current, drawing);
  if (!hasSameIds(root, childrenOf(current, undefined, days))) return 'root';
  const parents = root.filter((row) => {
    const rows = row.kind === 'day' ? painted.children(row) : undefined;
    return rows !== undefined && !hasSameIds(rows, childrenOf(current, row, days));
  });
  const covered = new Set(parents.flatMap((row) => painted.children(row) ?? []));
  const { streams } = compareSnapshots(previous, current);
  const areOther =
    previous.recordings.items !== current.recordings.items ||
    previous.recordings.parents !== current.recordings.parents;
  const rows = [...painted.rows()].filter(({ node }) => {
    if (node.kind === 'more' || node.kind === 'retry') return true;
    if (node.kind !== 'recording' || covered.has(node)) return false;
    return areOther || (node.streamId !== undefined && streams.has(node.streamId));
  });
  const changed = rows.filter(({ node }) => painted.differs(node, drawRow(current, node, drawing)));
  return [...parents, ...changed.map(({ node }) => node)];
}

/** Groups the shown sessions by day, newest first. Cached, because there can be thousands. */
function rememberDays(): FindDays {
  let known: { readonly key: readonly unknown[]; readonly days: Days } | undefined;
  return (snapshot, drawing) => {
    const { items, revealed } = snapshot.recordings;
    const key = [items, revealed, snapshot.recordingsRecordedOnly, drawing.timeZone];
    if (known?.key.every((part, at) => part === key[at]) !== true) {
      known = { key, days: Map.groupBy(shownRecordings(snapshot), ({ createdAt }) => dayNumber(createdAt, drawing)) };
    }
    return known.days;
  };
}
