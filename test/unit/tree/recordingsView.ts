import type { Node } from '../../../src/model/rows/nodes.ts';
import { recordingsTree } from '../../../src/tree/recordingsTree.ts';
import { TreeModel } from '../../../src/tree/treeModel.ts';
import { recordingsState } from '../../../src/tree/treeState.ts';
import { recordingsContext } from '../../../src/tree/viewContext.ts';
import { composeModel } from '../../support/model/composedModel.ts';
import { settle } from '../../support/model/heldClock.ts';
import { opening, textOf } from './drawnTree.ts';

/** The Recordings view over the real store and loader, and a service in memory; painted as VS Code does, all days open. */
export function recordingsView(options: { readonly pageSize?: number; readonly timeZone?: string } = {}) {
  const composed = composeModel(options);
  const { clock, service, store, loader, connect } = composed;
  const drawing = () => ({ now: clock.now(), locale: 'en', timeZone: options.timeZone ?? 'UTC' });
  const model = new TreeModel({ store, shape: recordingsTree(store, loader), drawing });
  const fired: (readonly string[])[] = [];
  model.onDidChange((nodes) => fired.push(nodes === undefined ? ['ROOT'] : nodes.map((node) => node.id)));

  const open = opening(model);

  /** All rows as "label | description", those of a day below it and indented. */
  async function rows(): Promise<readonly string[]> {
    const texts: string[] = [];
    for (const node of await open()) {
      texts.push(textOf(model.row(node)));
      for (const child of await open(node)) texts.push(`  ${textOf(model.row(child))}`);
    }
    return texts;
  }

  /** As `rows`, once the names of streams are there too. */
  async function settledRows(): Promise<readonly string[]> {
    await rows();
    await settle();
    return rows();
  }

  async function find(id: string): Promise<Node> {
    for (const node of await open()) {
      if (node.id === id) return node;
      for (const child of await open(node)) if (child.id === id) return child;
    }
    throw new Error(`No row ${id}`);
  }

  /** The view comes on screen, over an open connection. */
  function show(): void {
    connect();
    store.recordingsShown(true);
  }

  const state = () => recordingsState(store.snapshot, drawing());
  const context = () => recordingsContext(store.snapshot);
  const requestsOf = (path: string) => service.requests.filter((request) => request.startsWith(`GET ${path}`));
  return { ...composed, model, fired, open, rows, settledRows, find, show, state, context, requestsOf };
}
