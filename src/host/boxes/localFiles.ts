import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SaveQuestion } from '../../services.ts';
import { machineName } from './machine.ts';
import { showSaveDialog } from './saveFile.ts';

export interface LocalFiles {
  /** Returns a path; undefined if dismissed. The dialog confirms replacing a file. */
  ask(question: SaveQuestion): Promise<string | undefined>;
  reveal(path: string): Promise<void>;
  open(path: string): Promise<void>;
}

/** @param where the extension runs, which in a remote window can be the other machine */
export function createLocalFiles(where: vscode.ExtensionKind, flash: (message: string) => void): LocalFiles {
  let lastFolder: string | undefined;
  return {
    async ask(question) {
      const folder = vscode.Uri.file(lastFolder ?? downloadsFolder());
      const machine = machineName(where);
      const title = machine === undefined ? {} : { title: t('Save to {0}', machine) };
      const chosen = await showSaveDialog({ ...question, folder, ...title });
      if (chosen === undefined) return undefined;
      if (chosen.scheme !== 'file') throw new Error('The file is on a machine that cannot be written to');
      lastFolder = dirname(chosen.fsPath);
      return chosen.fsPath;
    },
    async reveal(path) {
      const uri = vscode.Uri.file(path);
      if (isOnThisDesk(where)) return void (await vscode.commands.executeCommand('revealFileInOS', uri));
      if (vscode.workspace.getWorkspaceFolder(uri)) {
        return void (await vscode.commands.executeCommand('revealInExplorer', uri));
      }
      await vscode.env.clipboard.writeText(path);
      flash(t('Copied the path of the file'));
    },
    async open(path) {
      const uri = vscode.Uri.file(path);
      if (isOnThisDesk(where)) await vscode.env.openExternal(uri);
      else await vscode.commands.executeCommand('vscode.open', uri);
    },
  };
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
