import type * as vscode from 'vscode';
import type { StreamLoader } from '../../model/loading/loader.ts';
import type { StreamStore } from '../../model/store/store.ts';
import type { Clock, Log } from '../../services.ts';
import type { Node } from '../../tree/nodes.ts';
import { recordingsTree } from '../../tree/recordingsTree.ts';
import type { DrawingContext } from '../../tree/row.ts';
import { TreeModel } from '../../tree/treeModel.ts';
import { recordingsState } from '../../tree/treeState.ts';
import { DisposableStore } from '../../util/disposable.ts';
import { type FilledView, fillView } from './treeView.ts';

/** Fills the Recordings view, which loads nothing until it is visible. */
export function fillRecordingsView(options: {
  readonly view: vscode.TreeView<Node>;
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly clock: Clock;
  readonly log: Log;
  readonly drawing: () => DrawingContext;
}): FilledView {
  const { view, store, loader, clock, log, drawing } = options;
  const owned = new DisposableStore();
  const model = owned.add(new TreeModel({ store, shape: recordingsTree(store, loader), drawing }));
  const texts = () => recordingsState(store.snapshot, drawing());
  const { onDidChange: onDidChangeTexts } = store;
  const filled = owned.add(fillView({ view, model, texts, onDidChangeTexts, clock, log }));
  owned.add(view.onDidChangeVisibility(({ visible }) => store.recordingsShown(visible)));
  store.recordingsShown(view.visible);
  return { ...filled, dispose: () => owned.dispose() };
}
