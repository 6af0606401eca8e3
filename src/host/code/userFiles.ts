import * as vscode from 'vscode';
import { explain, type UserFile } from '../../code/envMove.ts';
import { MOST_TEXT_BYTES, openLocalTextFile, prepareOverwrite, UserFileError } from '../../code/userFiles.ts';
import type { GitFiles } from './guardedFiles.ts';

/**
 * Opens a text file of the user to replace it. Throws an EnvMoveError unless it's in the folder, with links followed.
 * @param folder the open folder that the file belongs to
 */
export async function openUserFile(uri: vscode.Uri, folder: vscode.Uri, git: GitFiles): Promise<UserFile> {
  const shownPath = vscode.workspace.asRelativePath(uri);
  const { isLink, uri: own, ...file } = await explain({ shownPath }, open(uri, folder));
  return {
    ...file,
    shownPath,
    isLink,
    async read() {
      // Unsaved changes would be lost, or saved although the user didn't save them.
      if ([uri, own].some(isUnsaved)) throw new UserFileError('unsaved');
      return file.read();
    },
    location: () => git.location(own),
  };
}

type OpenedFile = Omit<UserFile, 'shownPath' | 'location'> & { readonly uri: vscode.Uri };

async function open(uri: vscode.Uri, folder: vscode.Uri): Promise<OpenedFile> {
  if (uri.scheme !== 'file') return openElsewhere(uri);
  const file = await openLocalTextFile(uri.fsPath, folder.fsPath);
  return { ...file, uri: vscode.Uri.file(file.path) };
}

function openElsewhere(uri: vscode.Uri): OpenedFile {
  const file = overwrittenFile(uri);
  return {
    uri,
    isLink: false,
    read: file.read,
    prepare: async (before, after) => prepareOverwrite(file, before, after),
    remove: (content) => prepareOverwrite(file, content, undefined).commit(),
  };
}

/**
 * A file that isn't on this machine.
 * @param limit in bytes: the old content is kept in memory until the new content is written
 */
export function overwrittenFile(uri: vscode.Uri, limit = MOST_TEXT_BYTES): Parameters<typeof prepareOverwrite>[0] {
  const { fs } = vscode.workspace;
  return {
    read: () => readElsewhere(uri, limit),
    write: async (bytes) => fs.writeFile(uri, bytes),
    remove: async () => fs.delete(uri),
  };
}

async function readElsewhere(uri: vscode.Uri, limit: number): Promise<Uint8Array | undefined> {
  const { fs } = vscode.workspace;
  try {
    const { type, size } = await fs.stat(uri);
    // VS Code doesn't report where the link leads.
    if ((type & vscode.FileType.SymbolicLink) !== 0) throw new UserFileError('unknownLink');
    if ((type & vscode.FileType.Directory) !== 0) throw new UserFileError('folder');
    if (size > limit) throw new UserFileError('tooLarge');
    return await fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error instanceof UserFileError ? error : new UserFileError('unreadable', error);
  }
}

function isUnsaved(uri: vscode.Uri): boolean {
  const path = uri.toString();
  return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === path);
}
