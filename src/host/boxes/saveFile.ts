import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { NewFile, SaveQuestion } from '../../services.ts';

/** Shows the save dialog, which confirms replacing a file, and writes the file. Returns false if dismissed. */
export async function askAndSave({ fileName, bytes, filters }: NewFile): Promise<boolean> {
  const chosen = await showSaveDialog({ fileName, filters, folder: defaultFolder() });
  if (chosen === undefined) return false;
  await vscode.workspace.fs.writeFile(chosen, bytes);
  return true;
}

export async function showSaveDialog(
  question: SaveQuestion & { readonly folder: vscode.Uri; readonly title?: string },
): Promise<vscode.Uri | undefined> {
  const { fileName, filters, folder, title } = question;
  return vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, fileName),
    filters: Object.fromEntries(Object.entries(filters).map(([name, endings]) => [name, [...endings]])),
    ...(title === undefined ? {} : { title }),
  });
}

function defaultFolder(): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
}
