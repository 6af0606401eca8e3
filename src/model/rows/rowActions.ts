import type { StreamLoader } from '../loading/loader.ts';
import type { ConnectionNode, NodeKind, NodeOf, ViewNode } from './nodes.ts';

type ViewNodeKind = ViewNode['kind'];
type ViewNodeOf<K extends ViewNodeKind> = K extends NodeKind ? NodeOf<K> : ConnectionNode;

interface RowReloader {
  readonly loader: StreamLoader;
  /** Reads a stream and the loaded lists below it. Throws if it fails. */
  reloadStream(id: string): Promise<void>;
}

/** The stream or session that commands act on when they are run on a row. */
export type RowTarget =
  | { readonly kind: 'stream'; readonly id: string }
  | {
      readonly kind: 'session';
      readonly id: string;
      /** Undefined if its stream is unknown. */
      readonly streamId: string | undefined;
      /** Whether the row is in the Recordings view: that view's data then takes precedence. */
      readonly isRecording: boolean;
    };

interface RowActions<K extends ViewNodeKind> {
  /** Undefined for rows that are neither a stream nor a session. */
  target?(node: ViewNodeOf<K>): RowTarget;
  /** Reloads the row and all rows below it. */
  reload(reloader: RowReloader, node: ViewNodeOf<K>): Promise<void>;
  /** Loads the next page of the rows below it. Undefined if they have no pages. */
  loadMore?(loader: StreamLoader, node: ViewNodeOf<K>): Promise<void>;
}

const reloadRecordings = ({ loader }: RowReloader) => loader.reloadRecordings();
const refreshAll = ({ loader }: RowReloader) => loader.refresh();
const reloadListOf = (reloader: RowReloader, { of }: NodeOf<'more' | 'retry' | 'empty'>) => reloadRow(reloader, of);

const ACTIONS: { readonly [K in ViewNodeKind]: RowActions<K> } = {
  connection: { reload: refreshAll },
  group: {
    reload: ({ loader }, { list }) => loader.reloadList(list),
    loadMore: (loader, { list }) => loader.loadMore(list),
  },
  stream: {
    target: ({ streamId }) => ({ kind: 'stream', id: streamId }),
    reload: ({ reloadStream }, { streamId }) => reloadStream(streamId),
    loadMore: (loader, { streamId }) => loader.loadMoreSessions(streamId),
  },
  session: {
    target: ({ sessionId: id, streamId }) => ({ kind: 'session', id, streamId, isRecording: false }),
    reload: ({ loader }, { streamId }) => loader.reloadSessions(streamId),
  },
  child: {
    target: ({ streamId }) => ({ kind: 'stream', id: streamId }),
    // Without a list, the row is among the orphans, even if it has a parent.
    reload: ({ loader }, { list, parentId }) => loader.reloadChildren(list && parentId),
  },
  orphans: { reload: ({ loader }) => loader.reloadChildren(undefined) },
  recordings: { reload: reloadRecordings, loadMore: (loader) => loader.loadMoreRecordings() },
  day: { reload: reloadRecordings },
  recording: {
    target: ({ sessionId: id, streamId }) => ({ kind: 'session', id, streamId, isRecording: true }),
    reload: reloadRecordings,
  },
  clip: {
    reload: ({ loader }, { list, streamId }) =>
      list === undefined ? loader.reloadRecordings() : loader.reloadSessions(streamId),
  },
  more: { reload: reloadListOf },
  retry: { reload: reloadListOf },
  empty: { reload: reloadListOf },
  notice: { reload: refreshAll },
  filter: { reload: refreshAll },
};

export function isNodeKind(kind: unknown): kind is ViewNodeKind {
  return typeof kind === 'string' && Object.hasOwn(ACTIONS, kind);
}

/** Returns the stream or session that a command on this row acts on. */
export function rowTarget(node: ViewNode): RowTarget | undefined {
  return actionsOf(node).target?.(node);
}

export function reloadRow(reloader: RowReloader, node: ViewNode): Promise<void> {
  return actionsOf(node).reload(reloader, node);
}

/** Loads the next page of the rows below a row. Returns undefined if they have no pages. */
export function loadMoreRows(loader: StreamLoader, node: ViewNode): Promise<void> | undefined {
  return actionsOf(node).loadMore?.(loader, node);
}

/** Each kind is paired with functions for its own nodes, which the compiler can't follow through an index. */
function actionsOf(node: ViewNode): RowActions<ViewNodeKind> {
  return ACTIONS[node.kind];
}
