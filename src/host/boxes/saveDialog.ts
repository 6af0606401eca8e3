import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { prepareOverwrite, writeChosenFile } from '../../code/userFiles.ts';
import type { NewFile, SaveQuestion } from '../../services.ts';
import { overwrittenFile } from '../code/userFiles.ts';

/** A frame of the largest video takes less, and so does any document that VS Code shows. */
const MOST_REPLACED_BYTES = 64 * 1024 * 1024;

/**
 * Shows the save dialog, which asks for confirmation before it replaces a file, and writes the file completely or not
 * at all. Returns false if dismissed. Throws a UserFileError.
 */
export async function askAndSave({ fileName, bytes, filters }: NewFile): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const chosen = await showSaveDialog({ fileName, filters, folder });
  if (chosen === undefined) return false;
  if (chosen.scheme === 'file') await writeChosenFile(chosen.fsPath, bytes);
  else {
    const file = overwrittenFile(chosen, MOST_REPLACED_BYTES);
    await prepareOverwrite(file, await file.read(), bytes).commit();
  }
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
