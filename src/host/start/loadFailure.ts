import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { share } from '../../util/async.ts';

/** The code of the extension is not all there, or broken: a sentence for people. */
export function couldNotLoad(): string {
  return t('Live Streams could not load. Reload the window.');
}

/** Says it, and reloads where the person wants that; once as long as nobody has answered. */
export function createLoadFailure(): () => Promise<void> {
  return share(tell);
}

async function tell(): Promise<void> {
  const reload = t('Reload Window');
  const pressed = await vscode.window.showErrorMessage(couldNotLoad(), reload);
  if (pressed === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
