import { LIST_NAMES, type ListName, type Snapshot } from '../model/store/snapshot.ts';
import { hasMore, shownIds } from '../model/store/streams.ts';
import {
  childNode,
  endNode,
  groupNode,
  type Node,
  type NodeOf,
  type NoticeKind,
  noticeNode,
  orphanNode,
  orphansNode,
  sessionNode,
  streamNode,
} from './nodes.ts';
import { isAccountEmpty } from './viewContext.ts';

/**
 * Returns the rows under a row (undefined: the root), derived from the snapshot alone. These are descriptions:
 * `NodeRegistry.keep` returns the one object for each.
 */
export function childrenOf(snapshot: Snapshot, node: Node | undefined): readonly Node[] {
  if (node === undefined) return rootRows(snapshot);
  switch (node.kind) {
    case 'group':
      return groupRows(snapshot, node);
    case 'stream':
      return streamRows(snapshot, node);
    case 'orphans':
      return orphanRows(snapshot, node);
    default:
      return [];
  }
}

export function notices(snapshot: Snapshot): readonly NoticeKind[] {
  const { connection, trouble } = snapshot;
  if (connection.kind !== 'open' && connection.kind !== 'refused') return [];
  const found: NoticeKind[] = [];
  if (connection.kind === 'refused') found.push('keyRefused');
  else if (trouble?.error.why === 'proxyAuthentication') found.push('proxyPassword');
  if (connection.info.isDemo) found.push('demo');
  return found;
}

function rootRows(snapshot: Snapshot): readonly Node[] {
  const { kind } = snapshot.connection;
  if (kind !== 'open' && kind !== 'refused') return [];
  const first = notices(snapshot).map(noticeNode);
  if (isAccountEmpty(snapshot)) return first.filter((node) => node.notice !== 'demo');
  const isUnread = LIST_NAMES.every((list) => !snapshot.lists[list].isLoaded);
  if (kind === 'refused' && isUnread) return first;
  const last = snapshot.showsHistoricChildStreams ? [orphansNode()] : [];
  return [...first, ...LIST_NAMES.map(groupNode), ...last];
}

function groupRows(snapshot: Snapshot, group: NodeOf<'group'>): readonly Node[] {
  const { list } = group;
  const rows = shownIds(snapshot, list).map((id) => streamNode(list, id));
  const { isLoaded } = snapshot.lists[list];
  const more = list !== 'active' && hasMore(snapshot, list);
  return [
    ...rows,
    ...endRows(group, { isEmpty: rows.length === 0 && isLoaded, more, retry: asksForRetry(snapshot, list) }),
  ];
}

/** If rows are shown, the view's message reports a failed refresh: a row would make the list jump. */
function asksForRetry(snapshot: Snapshot, list: ListName): boolean {
  const { trouble, isLoaded, missing } = snapshot.lists[list];
  return missing > 0 || (trouble !== undefined && (list !== 'active' || !isLoaded));
}

function streamRows(snapshot: Snapshot, node: NodeOf<'stream'>): readonly Node[] {
  const { list, streamId } = node;
  const sessions = snapshot.sessions.get(streamId);
  const historic = snapshot.showsHistoricChildStreams ? snapshot.children.get(streamId) : undefined;
  const ids = new Set(sessions?.items.slice(0, sessions.revealed).map((session) => session.id));
  const sessionRows = [...ids].map((id) => sessionNode(list, streamId, id));
  const childRows = (historic?.items ?? []).map((child) => childNode(list, streamId, child.id));
  const more = sessions !== undefined && (sessions.hasNextPage || sessions.items.length > sessions.revealed);
  const retry = sessions?.trouble !== undefined || historic?.trouble !== undefined;
  const isEmpty = sessions?.isLoaded === true && sessionRows.length + childRows.length === 0;
  return [
    ...sessionRows,
    ...endRows(node, { isEmpty, more, retry: false }),
    ...childRows,
    ...endRows(node, { isEmpty: false, more: false, retry }),
  ];
}

function orphanRows(snapshot: Snapshot, node: NodeOf<'orphans'>): readonly Node[] {
  const { items, isLoaded, revealed, hasNextPage, trouble } = snapshot.orphans;
  const rows = items.slice(0, revealed).map((child) => orphanNode(child.id, child.parentId));
  const more = hasNextPage || items.length > revealed;
  return [...rows, ...endRows(node, { isEmpty: isLoaded && rows.length === 0, more, retry: trouble !== undefined })];
}

function endRows(
  of: Node,
  due: { readonly isEmpty: boolean; readonly more: boolean; readonly retry: boolean },
): readonly Node[] {
  const rows: Node[] = [];
  if (due.isEmpty && !due.more && !due.retry) rows.push(endNode('empty', of));
  if (due.more) rows.push(endNode('more', of));
  if (due.retry) rows.push(endNode('retry', of));
  return rows;
}
