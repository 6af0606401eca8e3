import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { NewFile, SaveQuestion } from '../../services.ts';

/** Shows the save dialog, which confirms replacing a file, and writes the file. Returns false if dismissed. */
export async function askAndSave({ fileName, bytes, filters }: NewFile): Promise<boolean> {
  const chosen = await showSaveDialog({ fileName, filters, folder: defaultFolder() });
  if (chosen === undefined) return false;
  const { saveChosenFile } = await import('./chosenFiles.ts');
  await saveChosenFile(chosen, bytes);
  return true;
}

export async function showSaveDialog(
  question: SaveQuestion & { readonly folder: vscode.Uri; readonly title?: string },
): Promise<vscode.Uri | undefined> {
  const { fileName, filters, folder, ...options } = question;
  return vscode.window.showSaveDialog({
    ...options,
    defaultUri: vscode.Uri.joinPath(folder, fileName),
    filters: writable(filters),
  });
}

export function writable(filters: SaveQuestion['filters']): Record<string, string[]> {
  return Object.fromEntries(Object.entries(filters).map(([name, endings]) => [name, [...endings]]));
}

function defaultFolder(): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
}
