import type { Node } from '../../../src/model/rows/nodes.ts';
import type { ListName, Snapshot } from '../../../src/model/store/snapshot.ts';
import { streamsTree } from '../../../src/tree/streamsTree.ts';
import { TreeModel } from '../../../src/tree/treeModel.ts';
import { Emitter } from '../../../src/util/events.ts';
import { NOW } from '../../support/model/builders.ts';
import { opening } from './drawnTree.ts';

/** A tree over a snapshot that tests replace, and an editor that paints it as VS Code does: what is open is asked for again. */
export function heldTree(first: Snapshot) {
  const changes = new Emitter<{ previous: Snapshot; current: Snapshot }>();
  const asked: string[] = [];
  const fired: (readonly string[])[] = [];
  const clock = { now: NOW };
  const answers: { onEnsure: (what: string) => void | Promise<void> } = { onEnsure: () => undefined };
  const store = { snapshot: first, onDidChange: changes.event };
  const ensure = async (what: string) => {
    asked.push(what);
    await answers.onEnsure(what);
  };
  const shape = streamsTree(store, {
    ensureList: (list: ListName) => ensure(list),
    ensureSessions: (id) => ensure(`sessions of ${id}`),
    ensureChildren: (id) => ensure(`children of ${id}`),
    ensureOrphans: () => ensure('orphans'),
    ensureRecordings: () => ensure('recordings'),
    ensureCounts: () => ensure('counts'),
    ensureClips: async () => {},
  });
  const model = new TreeModel({
    ...{ store, shape },
    drawing: () => ({ now: clock.now, locale: 'en', timeZone: 'UTC' }),
  });
  const drawAgain = new Set<Node>();
  model.onDidChange((nodes) => {
    fired.push(nodes === undefined ? ['ROOT'] : nodes.map((node) => node.id));
    for (const node of nodes ?? []) drawAgain.add(node);
  });

  /** Returns the rows that were fired, which VS Code draws again at once. The rows below them it requests later. */
  function change(current: Snapshot): readonly (readonly string[])[] {
    const previous = store.snapshot;
    store.snapshot = current;
    changes.fire({ previous, current });
    for (const node of drawAgain) model.row(node);
    drawAgain.clear();
    return fired.splice(0);
  }

  const open = opening(model);

  async function openPath(...ids: readonly string[]): Promise<Node> {
    let nodes = await open();
    let found: Node | undefined;
    for (const id of ids) {
      found = nodes.find((node) => node.id === id);
      if (found === undefined) throw new Error(`No row ${id}`);
      nodes = await open(found);
    }
    if (found === undefined) throw new Error('No path');
    return found;
  }

  const notify = (change: { readonly previous: Snapshot; readonly current: Snapshot }) => changes.fire(change);
  return { model, store, change, notify, open, openPath, asked, fired, clock, answers };
}
