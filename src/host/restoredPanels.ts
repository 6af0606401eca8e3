import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';

/** Takes up panels that come back with the window; who does it is loaded for the first of them. */
export function registerRestoredPanels(
  viewType: string,
  load: () => Promise<{ restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> }>,
): Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, {
    deserializeWebviewPanel: async (panel, state: unknown) => (await load()).restore(panel, state),
  });
}
