import { config } from '@vscode/l10n';
import * as vscode from 'vscode';

/** Passes the texts of the display language to `t`, which works in every folder. Call it before any text is created. */
export function configureTexts(): void {
  if (vscode.l10n.bundle !== undefined) config({ contents: vscode.l10n.bundle });
}
