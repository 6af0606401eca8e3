import { DisposableStore } from '../../util/disposable.ts';
import type { EditorTabsOptions } from '../panels/detailsPanels.ts';
import type { EditorPanels } from './editorPanels.ts';
import { createLateParts } from './lateParts.ts';
import { couldNotLoad, createLoadFailure } from './loadFailure.ts';

/** Opens players and details pages, and restores those of the last window. Their code is loaded with the first one. */
export function createEditorTabs(options: EditorTabsOptions): EditorPanels {
  const owned = new DisposableStore();
  const late = createLateParts({ owned, log: options.log, tell: createLoadFailure() });
  const load = late(async () => {
    const { createEditorPanels } = await import('./editorPanels.ts');
    return () => createEditorPanels(options);
  });
  const loadToRestore = async (): Promise<EditorPanels> => {
    const panels = await load();
    if (panels === undefined) throw new Error(couldNotLoad());
    return panels;
  };
  return {
    player: {
      openStream: async (stream) => (await load())?.player.openStream(stream),
      openRecording: async (session) => (await load())?.player.openRecording(session),
      restore: async (panel, state) => (await loadToRestore()).player.restore(panel, state),
    },
    details: {
      openStream: async (stream) => (await load())?.details.openStream(stream),
      openSession: async (session) => (await load())?.details.openSession(session),
      restore: async (panel, state) => (await loadToRestore()).details.restore(panel, state),
    },
    dispose: () => owned.dispose(),
  };
}
