import { existsSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LocalFiles } from '../../services.ts';
import { askAndSave, showSaveDialog, writable } from './saveDialog.ts';

/**
 * Returns the name of the machine that files are saved on; undefined if there is only one.
 * @param where on which side of a remote window the extension runs
 */
export function machineName(where: vscode.ExtensionKind): string | undefined {
  const { remoteName } = vscode.env;
  if (remoteName === undefined) return undefined;
  return where === vscode.ExtensionKind.UI ? t('this computer') : `${hostname()} (${remoteName})`;
}

/** @param where the extension runs, which in a remote window can be the other machine */
export function createLocalFiles(where: vscode.ExtensionKind, flash: (message: string) => void): LocalFiles {
  let lastFolder: string | undefined;
  return {
    async saveTarget(question) {
      const folder = vscode.Uri.file(lastFolder ?? downloadsFolder());
      const machine = machineName(where);
      const title = machine === undefined ? {} : { title: t('Save to {0}', machine) };
      const chosen = await showSaveDialog({ ...question, folder, ...title });
      if (chosen === undefined) return undefined;
      if (chosen.scheme !== 'file') throw new Error('The file is on a machine that cannot be written to');
      lastFolder = dirname(chosen.fsPath);
      return chosen.fsPath;
    },
    saveFile: askAndSave,
    async chooseFile({ title, act, filters }) {
      const [chosen] =
        (await vscode.window.showOpenDialog({ title, openLabel: act, filters: writable(filters) })) ?? [];
      if (chosen !== undefined && chosen.scheme !== 'file')
        throw new Error('The file is on a machine that cannot be read');
      return chosen?.fsPath;
    },
    async revealFile(path) {
      const uri = vscode.Uri.file(path);
      if (isOnThisDesk(where)) return void (await vscode.commands.executeCommand('revealFileInOS', uri));
      if (vscode.workspace.getWorkspaceFolder(uri)) {
        return void (await vscode.commands.executeCommand('revealInExplorer', uri));
      }
      await vscode.env.clipboard.writeText(path);
      flash(t('Copied the file path'));
    },
    editText,
    async openFile(path) {
      const uri = vscode.Uri.file(path);
      if (isOnThisDesk(where)) await vscode.env.openExternal(uri);
      else await vscode.commands.executeCommand('vscode.open', uri);
    },
  };
}

/** Opens an untitled file with this name, whose extension sets the language, or one with a given language. */
async function editText(fileName: string, text: string, languageId?: string): Promise<void> {
  if (languageId !== undefined) {
    const created = await vscode.workspace.openTextDocument({ language: languageId, content: text });
    return void (await vscode.window.showTextDocument(created));
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'untitled', path: fileName }));
  const editor = await vscode.window.showTextDocument(document);
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  await editor.edit((edit) => edit.replace(whole, text));
}

/** Whether the file is on the user's own machine, with a desktop to show it. */
function isOnThisDesk(where: vscode.ExtensionKind): boolean {
  const isHere = vscode.env.remoteName === undefined || where === vscode.ExtensionKind.UI;
  return isHere && vscode.env.uiKind === vscode.UIKind.Desktop;
}

function downloadsFolder(): string {
  const downloads = join(homedir(), 'Downloads');
  return existsSync(downloads) ? downloads : homedir();
}
