import type * as vscode from 'vscode';
import { prepareOverwrite, writeChosenFile } from '../../code/userFiles.ts';
import { overwrittenFile } from '../code/userFiles.ts';

/** A frame of the largest video, and any document that VS Code shows, takes less. */
const MOST_REPLACED_BYTES = 64 * 1024 * 1024;

/** Writes a file that the user chose, and replaces what is there, as a whole or not at all. Throws a UserFileError. */
export async function saveChosenFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  if (uri.scheme === 'file') return writeChosenFile(uri.fsPath, bytes);
  const file = overwrittenFile(uri, MOST_REPLACED_BYTES);
  await prepareOverwrite(file, await file.read(), bytes).commit();
}
