import * as vscode from 'vscode';
import type { Disposable } from '../../util/disposable.ts';
import type { LatePart } from './lateParts.ts';
import { couldNotLoad } from './loadFailure.ts';

/** Takes up panels that come back with the window; who does it is loaded for the first of them. */
export function registerRestoredPanels(
  viewType: string,
  load: LatePart<{ restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> }>,
): Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, {
    async deserializeWebviewPanel(panel, state: unknown) {
      const panels = await load();
      // VS Code writes into the tab that it could not be restored; the next start tries again.
      if (panels === undefined) throw new Error(couldNotLoad());
      await panels.restore(panel, state);
    },
  });
}
