import type { ListName } from '../model/store/snapshot.ts';

/**
 * A row's identity and nothing else: made once, kept by its id, never replaced (VS Code finds elements by object identity).
 * What a row shows is read from the snapshot when it is drawn.
 */
export type Node =
  | { readonly kind: 'group'; readonly id: string; readonly list: ListName }
  | { readonly kind: 'stream'; readonly id: string; readonly list: ListName; readonly streamId: string }
  | {
      readonly kind: 'session';
      readonly id: string;
      readonly list: ListName;
      readonly streamId: string;
      readonly sessionId: string;
    }
  /** A historic child stream, under its parent (list set) or under the orphans (list undefined). */
  | {
      readonly kind: 'child';
      readonly id: string;
      readonly list: ListName | undefined;
      readonly parentId: string | undefined;
      readonly streamId: string;
    }
  /** The root of the Recordings view: what its last rows are of. */
  | { readonly kind: 'recordings'; readonly id: string }
  /** A day of the Recordings view, as util/dates counts it; undefined for sessions whose time is not known. */
  | { readonly kind: 'day'; readonly id: string; readonly day: number | undefined }
  /** A session in the Recordings view; its stream may not be known. */
  | {
      readonly kind: 'recording';
      readonly id: string;
      readonly sessionId: string;
      readonly streamId: string | undefined;
    }
  /** The group of historic child streams without a known parent. */
  | { readonly kind: 'orphans'; readonly id: string }
  /** Load more… of a group, of a stream's sessions, of the orphans, or of the recordings. */
  | { readonly kind: 'more'; readonly id: string; readonly of: Node }
  /** One row with Retry: the list above it could not be loaded. */
  | { readonly kind: 'retry'; readonly id: string; readonly of: Node }
  /** "No sessions yet": a list that is known to be empty. */
  | { readonly kind: 'empty'; readonly id: string; readonly of: Node }
  /** First row: something to do for the person (key refused, proxy password), or "Demo data. Connect to a Service…". */
  | { readonly kind: 'notice'; readonly id: string; readonly notice: NoticeKind };

export type NoticeKind = 'keyRefused' | 'proxyPassword' | 'demo';
export type NodeKind = Node['kind'];
export type NodeOf<K extends NodeKind> = Extract<Node, { readonly kind: K }>;

/** Ids are keys, never labels or states. "+" is in no id of the service's, so these rows collide with none. */
export function groupNode(list: ListName): NodeOf<'group'> {
  return { kind: 'group', id: list, list };
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

/** A session and a historic child stream can have one id: the child's has a mark. */
export function childNode(list: ListName, parentId: string, streamId: string): NodeOf<'child'> {
  return { kind: 'child', id: `${list}/${parentId}/+child/${streamId}`, list, parentId, streamId };
}

export function orphansNode(): NodeOf<'orphans'> {
  return { kind: 'orphans', id: 'historic' };
}

export function orphanNode(streamId: string, parentId: string | undefined): NodeOf<'child'> {
  return { kind: 'child', id: `historic/${streamId}`, list: undefined, parentId, streamId };
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

export function endNode(kind: 'more' | 'retry' | 'empty', of: Node): NodeOf<'more' | 'retry' | 'empty'> {
  return { kind, id: `${of.id}/+${kind}`, of };
}

export function noticeNode(notice: NoticeKind): NodeOf<'notice'> {
  return { kind: 'notice', id: `+${notice}`, notice };
}

/** Makes each row's node once and hands out the same object for as long as the editor may hold it. */
export class NodeRegistry {
  readonly #nodes = new Map<string, Node>();

  get size(): number {
    return this.#nodes.size;
  }

  /** The one node with this id: the one that is kept, else this. */
  keep(node: Node): Node {
    const kept = this.#nodes.get(node.id);
    if (kept !== undefined) return kept;
    this.#nodes.set(node.id, node);
    return node;
  }

  get(id: string): Node | undefined {
    return this.#nodes.get(id);
  }

  /** Is it one of this connection's? */
  has(node: Node): boolean {
    return this.#nodes.get(node.id) === node;
  }

  /** Forgets all nodes but these. */
  keepOnly(held: ReadonlySet<Node>): void {
    for (const [id, node] of this.#nodes) if (!held.has(node)) this.#nodes.delete(id);
  }

  clear(): void {
    this.#nodes.clear();
  }
}
