import { DisposableStore } from '../util/disposable.ts';
import { once } from '../util/once.ts';
import type { DetailsOptions } from './detailsPanel.ts';
import type { EditorPanels } from './editorPanels.ts';

/** Opens players and details pages, and takes up those of the last window; their code is loaded when the first one is. */
export function createEditorTabs(options: DetailsOptions): EditorPanels {
  const owned = new DisposableStore();
  const load = once(async () => {
    const { createEditorPanels } = await import('./editorPanels.ts');
    return owned.add(createEditorPanels(options));
  });
  return {
    player: {
      openStream: async (stream) => (await load()).player.openStream(stream),
      openRecording: async (session) => (await load()).player.openRecording(session),
      restore: async (panel, state) => (await load()).player.restore(panel, state),
    },
    details: {
      openStream: async (stream) => (await load()).details.openStream(stream),
      openSession: async (session) => (await load()).details.openSession(session),
      restore: async (panel, state) => (await load()).details.restore(panel, state),
    },
    dispose: () => owned.dispose(),
  };
}
