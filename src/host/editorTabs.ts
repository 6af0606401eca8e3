import * as vscode from 'vscode';
import type { DetailsTabs, PlayerTabs } from '../commands/context.ts';
import { DETAILS_VIEW } from '../model/detailsState.ts';
import { PLAYER_VIEW } from '../model/playerState.ts';
import { type Disposable, DisposableStore } from '../util/disposable.ts';
import type { DetailsOptions } from './detailsPanel.ts';
import type { EditorPanels } from './editorPanels.ts';

export interface EditorTabs extends Disposable {
  readonly player: PlayerTabs;
  readonly details: DetailsTabs;
}

/** Opens players and details pages, and brings back those of the last window; their code is loaded when the first one is. */
export function createEditorTabs(options: DetailsOptions): EditorTabs {
  const owned = new DisposableStore();
  let loading: Promise<EditorPanels> | undefined;
  const load = (): Promise<EditorPanels> => {
    loading ??= import('./editorPanels.ts').then((module) => owned.add(module.createEditorPanels(options)));
    return loading;
  };
  const restore = (view: string, kind: 'player' | 'details') =>
    vscode.window.registerWebviewPanelSerializer(view, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load())[kind].restore(panel, state),
    });
  owned.add(restore(PLAYER_VIEW, 'player'));
  owned.add(restore(DETAILS_VIEW, 'details'));
  return {
    player: {
      openStream: async (stream) => (await load()).player.openStream(stream),
      openRecording: async (session) => (await load()).player.openRecording(session),
    },
    details: {
      openStream: async (stream) => (await load()).details.openStream(stream),
      openSession: async (session) => (await load()).details.openSession(session),
    },
    dispose: () => owned.dispose(),
  };
}
