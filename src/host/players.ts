import * as vscode from 'vscode';
import type { PlayerTabs } from '../commands/context.ts';
import { PLAYER_VIEW } from '../model/playerState.ts';
import { type Disposable, DisposableStore } from '../util/disposable.ts';
import type { PlayerPanelOptions } from './playerPanel.ts';
import type { PlayerPanels } from './playerPanels.ts';

/** Opens players, and brings back those of the last window; their code is loaded when the first one is. */
export function createPlayers(options: PlayerPanelOptions): PlayerTabs & Disposable {
  const owned = new DisposableStore();
  let loading: Promise<PlayerPanels> | undefined;
  const load = (): Promise<PlayerPanels> => {
    loading ??= import('./playerPanels.ts').then((module) => owned.add(module.createPlayerPanels(options)));
    return loading;
  };
  owned.add(
    vscode.window.registerWebviewPanelSerializer(PLAYER_VIEW, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load()).restore(panel, state),
    }),
  );
  return {
    openStream: async (stream) => (await load()).openStream(stream),
    openRecording: async (session) => (await load()).openRecording(session),
    dispose: () => owned.dispose(),
  };
}
