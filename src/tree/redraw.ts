import { LIST_NAMES, type Snapshot } from '../model/store/snapshot.ts';
import { liveStreams } from '../model/store/streams.ts';
import { childrenOf } from './children.ts';
import { groupNode, type Node, type NodeOf, orphansNode, streamRowId } from './nodes.ts';
import type { PaintedRows } from './paintedRows.ts';
import type { DrawingContext } from './row.ts';
import { drawRow } from './rows.ts';
import { compareSnapshots, isSameSubList, type SnapshotChanges } from './snapshotChanges.ts';

/** Larger groups are redrawn as a whole only if there is no other way (src/host/README.md, Trees). */
export const LARGE_GROUP = 200;

export interface Redrawing {
  readonly previous: Snapshot;
  readonly current: Snapshot;
  readonly painted: PaintedRows;
  readonly drawing: DrawingContext;
}

/** Returns the smallest set of rows to redraw, or the whole root. Redrawing a group redraws all its rows. */
export function rowsToRedraw(redrawing: Redrawing): readonly Node[] | 'root' {
  const { previous, current, painted } = redrawing;
  const root = painted.children(undefined);
  if (root !== undefined && !hasSameIds(root, childrenOf(current, undefined))) return 'root';
  if (root !== undefined && wantsIdle(previous, current)) return 'root';
  const changes = compareSnapshots(previous, current);
  const parents = new Set<Node>();
  for (const list of changes.lists) {
    const group = painted.node(groupNode(list).id);
    if (group?.kind === 'group' && hasToRedrawGroup(redrawing, changes, group)) parents.add(group);
  }
  const orphans = painted.node(orphansNode().id);
  const areOther = !isSameSubList(previous.orphans, current.orphans);
  if (orphans !== undefined && areOther && !painted.isAsking(orphans)) parents.add(orphans);
  return [...parents, ...changedRows(redrawing, changes, parents)];
}

/** The active streams have loaded and none is live. Redrawing the root then loads Idle, as on first paint. */
function wantsIdle(previous: Snapshot, current: Snapshot): boolean {
  const { active, idle } = current.lists;
  const isNews = !previous.lists.active.isLoaded && active.isLoaded;
  return isNews && !idle.isLoaded && idle.trouble === undefined && liveStreams(current).length === 0;
}

function hasToRedrawGroup(redrawing: Redrawing, changes: SnapshotChanges, group: NodeOf<'group'>): boolean {
  const { previous, current, painted, drawing } = redrawing;
  // The response will be up to date, and `TreeModel` then checks the group's own row.
  if (painted.isAsking(group)) return false;
  const rows = painted.children(group);
  if (rows !== undefined && isReset(previous, current, group)) return true;
  const isSmall = rows === undefined || rows.length <= LARGE_GROUP;
  if (isSmall && painted.differs(group, drawRow(current, group, drawing))) return true;
  if (rows === undefined) return false;
  const now = childrenOf(current, group);
  if (hasSameIds(rows, now)) return false;
  return isSmall || changes.relisted.has(group.list) || hasNewcomer(changes, rows, now);
}

/** Returns the large groups that still show rows which left them, or rows in an outdated order. */
export function overdueGroups({ current, painted, drawing }: Omit<Redrawing, 'previous'>): readonly Node[] {
  return LIST_NAMES.flatMap((list) => {
    const group = painted.node(groupNode(list).id);
    const rows = group && painted.children(group);
    if (group === undefined || rows === undefined || rows.length <= LARGE_GROUP) return [];
    const isOverdue =
      painted.differs(group, drawRow(current, group, drawing)) || !hasSameIds(rows, childrenOf(current, group));
    return isOverdue ? [group] : [];
  });
}

/** The group has to load again, which only happens when its children are requested. */
function isReset(previous: Snapshot, current: Snapshot, { list }: NodeOf<'group'>): boolean {
  return previous.lists[list].isLoaded && !current.lists[list].isLoaded;
}

/** Whether a row has to appear. Rows that only move up, because another one left, can wait until the next listing. */
function hasNewcomer(
  { previous, current, streams }: SnapshotChanges,
  rows: readonly Node[],
  now: readonly Node[],
): boolean {
  const isNew = (id: string) =>
    streams.has(id) ||
    current.left.has(id) !== previous.left.has(id) ||
    current.pinned.has(id) !== previous.pinned.has(id);
  // Few rows changed out of many, so search for the changed ones, not the reverse.
  const newer = now.filter((row) => (row.kind === 'stream' ? isNew(row.streamId) : row.kind === 'retry'));
  return newer.some(({ id }) => !rows.some((row) => row.id === id));
}

function* changedRows(
  { current, painted, drawing }: Redrawing,
  { streams, subLists, loading }: SnapshotChanges,
  covered: ReadonlySet<Node>,
): Iterable<Node> {
  for (const list of LIST_NAMES) {
    const group = painted.node(groupNode(list).id);
    if (group === undefined || covered.has(group)) continue;
    const found = new Set<Node | undefined>();
    for (const id of streams) found.add(painted.node(streamRowId(list, id)));
    for (const id of subLists) {
      const row = painted.node(streamRowId(list, id));
      if (row !== undefined && painted.children(row) !== undefined) found.add(row);
    }
    for (const id of loading) {
      const stream = subLists.has(id) ? undefined : painted.node(streamRowId(list, id));
      const more = stream && painted.children(stream)?.find((row) => row.kind === 'more');
      if (more !== undefined && painted.differs(more, drawRow(current, more, drawing))) found.add(more);
    }
    for (const row of painted.children(group)?.slice(-2) ?? []) {
      if (row.kind !== 'stream' && painted.differs(row, drawRow(current, row, drawing))) found.add(row);
    }
    for (const row of found) if (row !== undefined) yield row;
  }
}

export function hasSameIds(a: readonly Node[], b: readonly Node[]): boolean {
  return a.length === b.length && a.every((node, index) => node.id === b[index]?.id);
}
