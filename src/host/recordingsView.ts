import type { StreamLoader } from '../model/loader.ts';
import type { StreamStore } from '../model/store.ts';
import type { Clock, Log } from '../services.ts';
import { recordingsState } from '../tree/recordingsState.ts';
import { recordingsTree } from '../tree/recordingsTree.ts';
import type { DrawingContext } from '../tree/row.ts';
import { TreeModel } from '../tree/treeModel.ts';
import { DisposableStore } from '../util/disposable.ts';
import { createView, type View } from './treeView.ts';

/** The Recordings view. It asks for nothing until it is seen, and tells the store when it is. */
export function createRecordingsView(options: {
  readonly store: StreamStore;
  readonly loader: StreamLoader;
  readonly clock: Clock;
  readonly log: Log;
  readonly drawing: () => DrawingContext;
}): View {
  const { store, loader, clock, log, drawing } = options;
  const owned = new DisposableStore();
  const model = owned.add(new TreeModel({ store, shape: recordingsTree(store, loader), drawing }));
  const texts = () => recordingsState(store.snapshot, drawing());
  const { onDidChange: onDidChangeTexts } = store;
  const made = owned.add(createView({ id: 'liveStreams.recordings', model, texts, onDidChangeTexts, clock, log }));
  owned.add(made.view.onDidChangeVisibility(({ visible }) => store.recordings.shown(visible)));
  store.recordings.shown(made.view.visible);
  return { ...made, dispose: () => owned.dispose() };
}
