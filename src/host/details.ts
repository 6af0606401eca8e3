import * as vscode from 'vscode';
import type { DetailsTabs } from '../commands/context.ts';
import { DETAILS_VIEW } from '../model/detailsState.ts';
import { type Disposable, DisposableStore } from '../util/disposable.ts';
import type { DetailsOptions } from './detailsPanel.ts';
import type { DetailsPanels } from './detailsPanels.ts';

/** Opens details pages, and brings back those of the last window; their code is loaded when the first one is. */
export function createDetails(options: DetailsOptions): DetailsTabs & Disposable {
  const owned = new DisposableStore();
  let loading: Promise<DetailsPanels> | undefined;
  const load = (): Promise<DetailsPanels> => {
    loading ??= import('./detailsPanels.ts').then((module) => owned.add(module.createDetailsPanels(options)));
    return loading;
  };
  owned.add(
    vscode.window.registerWebviewPanelSerializer(DETAILS_VIEW, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load()).restore(panel, state),
    }),
  );
  return {
    openStream: async (stream) => (await load()).openStream(stream),
    openSession: async (session) => (await load()).openSession(session),
    dispose: () => owned.dispose(),
  };
}
