import type { ListName } from '../store/snapshot.ts';

/**
 * A row's identity, kept by ID and never replaced, because VS Code finds elements by object identity. While several
 * connections are shown, it includes the row's connection, because IDs may be the same in two of them.
 */
export type Node = RowOfConnection & { readonly connection?: string };

/** A connection, above its own rows. */
export interface ConnectionNode {
  readonly kind: 'connection';
  readonly id: string;
  readonly connection: string;
  /** The data to connect to it again, if it was removed while it was shown. */
  readonly removed?: { readonly name: string; readonly baseUrl: string };
}

/** A row of the Streams view. */
export type ViewNode = Node | ConnectionNode;

type RowOfConnection =
  | { readonly kind: 'group'; readonly id: string; readonly list: ListName }
  | { readonly kind: 'stream'; readonly id: string; readonly list: ListName; readonly streamId: string }
  | {
      readonly kind: 'session';
      readonly id: string;
      readonly list: ListName;
      readonly streamId: string;
      readonly sessionId: string;
    }
  /** A child stream, under its parent (`list` is set) or under the orphans (`list` is undefined). */
  | {
      readonly kind: 'child';
      readonly id: string;
      readonly list: ListName | undefined;
      readonly parentId: string | undefined;
      readonly streamId: string;
    }
  /** The root of the Recordings view, as the `of` of its last rows. Never visible. */
  | { readonly kind: 'recordings'; readonly id: string }
  /** A day of the Recordings view, numbered as in util/dates; undefined for sessions without a known time. */
  | { readonly kind: 'day'; readonly id: string; readonly day: number | undefined }
  | {
      readonly kind: 'recording';
      readonly id: string;
      readonly sessionId: string;
      readonly streamId: string | undefined;
    }
  /** A clip below its session, in the Recordings view if there is no list. */
  | {
      readonly kind: 'clip';
      readonly id: string;
      readonly list: ListName | undefined;
      readonly streamId: string;
      readonly sessionId: string;
      readonly clipId: string;
    }
  | { readonly kind: 'orphans'; readonly id: string }
  | { readonly kind: 'more'; readonly id: string; readonly of: PagedNode }
  | { readonly kind: 'retry'; readonly id: string; readonly of: PagedNode }
  | { readonly kind: 'empty'; readonly id: string; readonly of: PagedNode }
  | {
      readonly kind: 'notice';
      readonly id: string;
      readonly notice: NoticeKind;
      /** Whether it's in a view other than Streams, the only view whose message describes connection problems. */
      readonly isBeside: boolean;
    }
  | { readonly kind: 'filter'; readonly id: string };

export type NoticeKind =
  | 'keyRefused'
  | 'keyForbidden'
  | 'apiNotFound'
  | 'proxyPassword'
  | 'retry'
  | 'loading'
  | 'clearFilter'
  | 'noStreams';
export type NodeKind = Node['kind'];
export type NodeOf<K extends NodeKind> = NodesByKind[K];
type NodesByKind = { readonly [K in NodeKind]: Extract<Node, { readonly kind: K }> };

/** Rows whose rows are loaded in pages. */
export type PagedKind = 'group' | 'stream' | 'orphans' | 'recordings';
type PagedNode = NodeOf<PagedKind>;

/** IDs are keys, never labels or states. The service's IDs contain no "+", so those with one can't collide. */
export function groupNode(list: ListName, filter = ''): NodeOf<'group'> {
  // A different row while a filter is set, because it starts expanded and VS Code can't collapse a row again.
  return { kind: 'group', id: list === 'idle' && filter !== '' ? 'idle+filtered' : list, list };
}

export function streamNode(list: ListName, streamId: string): NodeOf<'stream'> {
  return { kind: 'stream', id: streamRowId(list, streamId), list, streamId };
}

export function streamRowId(list: ListName, streamId: string): string {
  return `${list}/${streamId}`;
}

export function sessionNode(list: ListName, streamId: string, sessionId: string): NodeOf<'session'> {
  return { kind: 'session', id: `${list}/${streamId}/${sessionId}`, list, streamId, sessionId };
}

export function recordingsNode(): NodeOf<'recordings'> {
  return { kind: 'recordings', id: 'recordings' };
}

export function dayNode(day: number | undefined): NodeOf<'day'> {
  return { kind: 'day', id: `day/${day ?? '+unknown'}`, day };
}

export function recordingNode(sessionId: string, streamId: string | undefined): NodeOf<'recording'> {
  return { kind: 'recording', id: `recording/${sessionId}`, sessionId, streamId };
}

/** @param of its session's row, in either view */
export function clipNode(
  of: { readonly id: string; readonly list?: ListName; readonly streamId: string; readonly sessionId: string },
  clipId: string,
): NodeOf<'clip'> {
  const { list, streamId, sessionId } = of;
  return { kind: 'clip', id: `${of.id}/${clipId}`, list, streamId, sessionId, clipId };
}

export function endNode(kind: 'more' | 'retry' | 'empty', of: PagedNode): NodeOf<'more' | 'retry' | 'empty'> {
  return { kind, id: `${of.id}/+${kind}`, of };
}

/** Returns the last rows of a list. An `empty` row is needed only if there is no other. */
export function endNodes(
  of: PagedNode,
  due: { readonly isEmpty: boolean; readonly more: boolean; readonly retry: boolean },
): readonly Node[] {
  const rows: Node[] = [];
  if (due.isEmpty && !due.more && !due.retry) rows.push(endNode('empty', of));
  if (due.more) rows.push(endNode('more', of));
  if (due.retry) rows.push(endNode('retry', of));
  return rows;
}

export function noticeNode(notice: NoticeKind, isBeside = false): NodeOf<'notice'> {
  return { kind: 'notice', id: `+${notice}`, notice, isBeside };
}

export function connectionNode(connection: string): ConnectionNode {
  return { kind: 'connection', id: '+connection', connection };
}

export function filterNode(): NodeOf<'filter'> {
  return { kind: 'filter', id: '+filter' };
}
