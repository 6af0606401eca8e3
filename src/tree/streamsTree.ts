import type { StreamLoader } from '../model/loading/loader.ts';
import { findSession } from '../model/store/sessions.ts';
import { LIST_NAMES, type ListName, type Snapshot } from '../model/store/snapshot.ts';
import type { StreamStore } from '../model/store/store.ts';
import { hasNoStreams, isShown, liveStreams } from '../model/store/streams.ts';
import { childrenOf } from './children.ts';
import { groupNode, type Node, orphansNode, sessionNode, streamNode } from './nodes.ts';
import { overdueGroups, rowsToRedraw } from './redraw.ts';
import type { TreeShape } from './treeShape.ts';

type Loader = Pick<StreamLoader, 'ensureList' | 'ensureSessions' | 'ensureChildren' | 'ensureOrphans'>;

/** The Streams view: groups, their streams, and the sessions and historic child streams of these. */
export function streamsTree(store: Pick<StreamStore, 'snapshot'>, loader: Loader): TreeShape {
  return {
    ensure: (node) => ensure(store, loader, node),
    children: childrenOf,
    parent: (_snapshot, node) => parentOf(node),
    find(snapshot, row) {
      const streamId = row.kind === 'stream' ? row.id : row.streamId;
      const list = listThatShows(snapshot, streamId);
      if (list === undefined) return undefined;
      if (row.kind === 'stream') return streamNode(list, streamId);
      return findSession(snapshot, streamId, row.id) && sessionNode(list, streamId, row.id);
    },
    redraw: rowsToRedraw,
    overdue: overdueGroups,
  };
}

async function ensure(store: Pick<StreamStore, 'snapshot'>, loader: Loader, node: Node | undefined): Promise<void> {
  if (node === undefined) return ensureRoot(store, loader);
  if (node.kind === 'group') return loader.ensureList(node.list);
  if (node.kind === 'orphans') return loader.ensureOrphans();
  if (node.kind !== 'stream') return;
  const withChildren = store.snapshot.showsHistoricChildStreams;
  await Promise.all([
    loader.ensureSessions(node.streamId),
    withChildren ? loader.ensureChildren(node.streamId) : undefined,
  ]);
}

/** Loads the active streams and, if none is live, also the idle ones, so that the first paint shows something. */
async function ensureRoot(store: Pick<StreamStore, 'snapshot'>, loader: Loader): Promise<void> {
  const { generation, connection } = store.snapshot;
  if (connection.kind !== 'open' && connection.kind !== 'refused') return;
  await loader.ensureList('active');
  const { snapshot } = store;
  if (snapshot.generation !== generation) return ensureRoot(store, loader);
  if (!snapshot.lists.active.isLoaded || liveStreams(snapshot).length > 0) return;
  await loader.ensureList('idle');
  if (store.snapshot.generation !== generation) return ensureRoot(store, loader);
  // Needed to decide whether to show the welcome.
  if (store.snapshot.showsHistoricChildStreams && hasNoStreams(store.snapshot)) await loader.ensureOrphans();
}

function parentOf(node: Node): Node | undefined {
  switch (node.kind) {
    case 'stream':
      return groupNode(node.list);
    case 'session':
      return streamNode(node.list, node.streamId);
    case 'child':
      return node.list === undefined || node.parentId === undefined
        ? orphansNode()
        : streamNode(node.list, node.parentId);
    case 'more':
    case 'retry':
    case 'empty':
      return node.of;
    default:
      return undefined;
  }
}

function listThatShows(snapshot: Snapshot, streamId: string): ListName | undefined {
  return LIST_NAMES.find((list) => isShown(snapshot, list, streamId));
}
