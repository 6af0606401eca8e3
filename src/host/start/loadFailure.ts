import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { share } from '../../util/async.ts';

export function couldNotLoad(): string {
  return t("Live Streams couldn't load. Reload the window to try again.");
}

export function createLoadFailure(): () => Promise<void> {
  return share(tell);
}

async function tell(): Promise<void> {
  const reload = t('Reload Window');
  const pressed = await vscode.window.showErrorMessage(couldNotLoad(), reload);
  if (pressed === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
