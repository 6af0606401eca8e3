import type * as vscode from 'vscode';
import { DisposableStore } from '../../util/disposable.ts';
import { createLatePart } from '../../util/lateParts.ts';
import type { EditorPanels, EditorPanelsOptions } from '../panels/editorPanels.ts';
import { couldNotLoad, createLoadFailure } from './loadFailure.ts';

/** Opens players and details pages, and restores those of the last window. Their code is loaded with the first one. */
export function createEditorTabs(options: EditorPanelsOptions): EditorPanels {
  const owned = new DisposableStore();
  const load = createLatePart({ owned, log: options.log, notify: createLoadFailure() }, async () => {
    const { createEditorPanels } = await import('../panels/editorPanels.ts');
    return () => createEditorPanels(options);
  });
  const restore = (kind: 'player' | 'details') => async (panel: vscode.WebviewPanel, state: unknown) => {
    const panels = await load();
    if (panels === undefined) throw new Error(couldNotLoad());
    await panels[kind].restore(panel, state);
  };
  return {
    player: {
      openStream: async (stream, place) => (await load())?.player.openStream(stream, place),
      openRecording: async (session, place) => (await load())?.player.openRecording(session, place),
      restore: restore('player'),
    },
    details: {
      openStream: async (stream, place) => (await load())?.details.openStream(stream, place),
      openSession: async (session, place) => (await load())?.details.openSession(session, place),
      restore: restore('details'),
    },
    dispose: () => owned.dispose(),
  };
}
