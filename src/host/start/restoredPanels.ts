import * as vscode from 'vscode';
import type { Disposable } from '../../util/disposable.ts';
import type { LatePart } from './lateParts.ts';
import { couldNotLoad } from './loadFailure.ts';

export function registerRestoredPanels(
  viewType: string,
  load: LatePart<{ restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> }>,
): Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, {
    async deserializeWebviewPanel(panel, state: unknown) {
      const panels = await load();
      // VS Code shows in the tab that it could not be restored; the next start retries.
      if (panels === undefined) throw new Error(couldNotLoad());
      await panels.restore(panel, state);
    },
  });
}
