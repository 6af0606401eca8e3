import * as vscode from 'vscode';
import type { EnvVariable } from '../../code/envFile.ts';
import { type AddedVariables, addToEnvFile } from '../../code/envMove.ts';
import { isInFolder } from '../../code/userFiles.ts';
import type { GitFiles } from './guardedFiles.ts';
import { openUserFile } from './userFiles.ts';

export interface WrittenVariables extends AddedVariables {
  readonly uri: vscode.Uri;
  readonly shownPath: string;
}

/** Files that mark the folder of a package, whose programs read its .env. */
const PACKAGES = ['package.json', 'pyproject.toml', 'go.mod'];

/** Adds variables to the .env file of the package that a file belongs to. Throws an EnvMoveError. */
export async function writeToEnvFile(
  git: GitFiles,
  source: vscode.Uri,
  variables: readonly EnvVariable[],
): Promise<WrittenVariables> {
  const top = vscode.workspace.getWorkspaceFolder(source)?.uri ?? vscode.Uri.joinPath(source, '..');
  const folder = (await folderWith(PACKAGES, source)) ?? top;
  const open = (parent: vscode.Uri, name: string) => openUserFile(vscode.Uri.joinPath(parent, name), top, git);
  const env = await open(folder, '.env');
  const added = await addToEnvFile({
    env,
    variables,
    openIgnoreFile: async () => open(await ignoringFolder(git, folder, top), '.gitignore'),
    isInRepository: async () => (await folderWith(['.git'], source)) !== undefined,
  });
  return { ...added, uri: vscode.Uri.joinPath(folder, '.env'), shownPath: env.shownPath };
}

export function canHaveEnvFile({ scheme }: vscode.Uri): boolean {
  return vscode.workspace.fs.isWritableFileSystem(scheme) === true && scheme !== 'untitled';
}

/** Returns the folder of the .gitignore file to write: next to the file, or the repository's if in the open folder. */
async function ignoringFolder(git: GitFiles, folder: vscode.Uri, top: vscode.Uri): Promise<vscode.Uri> {
  if (await exists(vscode.Uri.joinPath(folder, '.gitignore'))) return folder;
  const root = await git.rootOf(folder);
  return root !== undefined && isInFolder(root.fsPath, top.fsPath) ? root : folder;
}

/** Returns the nearest folder, from the file's up to the workspace folder, that contains one of the names. */
async function folderWith(names: readonly string[], source: vscode.Uri): Promise<vscode.Uri | undefined> {
  const top = vscode.workspace.getWorkspaceFolder(source)?.uri;
  for (let folder = vscode.Uri.joinPath(source, '..'); ; folder = vscode.Uri.joinPath(folder, '..')) {
    const marks = await Promise.all(names.map((name) => exists(vscode.Uri.joinPath(folder, name))));
    if (marks.includes(true)) return folder;
    if (top === undefined || folder.path === top.path || folder.path === '/') return undefined;
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
