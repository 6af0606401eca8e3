import * as vscode from 'vscode';
import type { Session } from '../../api/types.ts';
import type { PlayerTabs } from '../../commands/context.ts';
import { nameOf, nameOfParent } from '../../commands/messages.ts';
import { PLAYER_VIEW, readPlayerState } from '../../model/pages/panelState.ts';
import type { PanelSubject } from '../../panels/playerFinder.ts';
import type { Disposable } from '../../util/disposable.ts';
import { PlayerPanel, type PlayerPanelOptions } from './playerPanel.ts';
import { createTabs } from './webviewTabs.ts';

export interface PlayerPanels extends PlayerTabs, Disposable {
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

export function createPlayerPanels(options: PlayerPanelOptions): PlayerPanels {
  const { current, store } = options;
  const tabs = createTabs<PanelSubject>({
    open: (title) =>
      vscode.window.createWebviewPanel(PLAYER_VIEW, title, vscode.ViewColumn.Active, {
        // The sound of a video goes on while another tab is in front.
        retainContextWhenHidden: true,
      }),
    make: (panel, target) => new PlayerPanel(panel, target, options),
  });
  const connection = (): string => current.info?.id ?? '';
  return {
    openStream: (stream) => tabs.show({ connection: connection(), kind: 'stream', id: stream.id }, nameOf(stream)),
    openRecording: (session: Session) => {
      const { id } = session;
      const title = nameOfParent(session, store.snapshot) ?? id;
      return tabs.show({ connection: connection(), kind: 'session', id, session }, title);
    },
    restore: (panel, state) => tabs.restore(panel, readPlayerState(state)),
    dispose: () => tabs.dispose(),
  };
}
