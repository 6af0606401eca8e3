import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { addIgnored, addVariable } from '../../code/envFile.ts';
import type { FileLocation } from '../../code/exposure.ts';
import type { GitFiles } from './guardedFiles.ts';

/** With a sentence for the person. */
export class EnvFileError extends Error {}

export interface WrittenVariable {
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly shownPath: string;
}

let lastMove: Promise<unknown> = Promise.resolve();

/** What marks the folder of a package, whose programs read its .env. */
const PACKAGES = ['package.json', 'pyproject.toml', 'go.mod'];
const MOST_BYTES = 1024 * 1024;

/**
 * Adds a variable to the .env file of the package that a file belongs to, and makes git ignore that file first. Throws
 * EnvFileError, in which case everything is as it was.
 */
export function moveToEnvFile(
  git: GitFiles,
  source: vscode.Uri,
  variable: { readonly name: string; readonly value: string },
): Promise<WrittenVariable> {
  // Two at once would both add to the text that is there now.
  const moving = lastMove.catch(() => undefined).then(() => moveOne(git, source, variable));
  lastMove = moving;
  return moving;
}

async function moveOne(
  git: GitFiles,
  source: vscode.Uri,
  variable: { readonly name: string; readonly value: string },
): Promise<WrittenVariable> {
  const folder = await packageFolder(source);
  const uri = vscode.Uri.joinPath(folder, '.env');
  const shownPath = vscode.workspace.asRelativePath(uri);
  const before = await readText(uri, shownPath);
  const { text, name } = addVariable(before, variable.name, variable.value);
  const location = await git.location(uri);
  const isKept = location === 'kept' || (location === 'unknown' && (await isInRepository(folder)));
  const undo = isKept ? await ignoreEnvFiles(git, folder, location) : async () => {};
  try {
    if ((await git.location(uri)) === 'kept') {
      throw new EnvFileError(
        t("Git tracks {0}, so the key wasn't moved. Remove the file from the repository first.", shownPath),
      );
    }
    if (text !== before) await writeText(uri, text, shownPath);
  } catch (error) {
    await undo();
    throw error;
  }
  return { name, uri, shownPath };
}

/** Returns what undoes it. */
async function ignoreEnvFiles(git: GitFiles, folder: vscode.Uri, location: FileLocation): Promise<() => Promise<void>> {
  const root = (await git.rootOf(folder)) ?? folder;
  const own = vscode.Uri.joinPath(folder, '.gitignore');
  const uri = (await exists(own)) ? own : vscode.Uri.joinPath(root, '.gitignore');
  const shownPath = vscode.workspace.asRelativePath(uri);
  const isThere = await exists(uri);
  const before = await readText(uri, shownPath);
  if (location === 'unknown' && before.split(/\r?\n/).includes('.env')) return async () => {};
  await writeText(uri, addIgnored(before, '.env'), shownPath);
  return async () => {
    if (!isThere) await vscode.workspace.fs.delete(uri);
    else if (openDocument(uri)?.isDirty !== true) await writeText(uri, before, shownPath);
  };
}

/** The folder of the nearest package, else the workspace folder, else the file's own folder. */
async function packageFolder(source: vscode.Uri): Promise<vscode.Uri> {
  const own = vscode.Uri.joinPath(source, '..');
  return (await folderWith(PACKAGES, own)) ?? vscode.workspace.getWorkspaceFolder(source)?.uri ?? own;
}

/** For where the git extension can't be asked. */
async function isInRepository(folder: vscode.Uri): Promise<boolean> {
  return (await folderWith(['.git'], folder)) !== undefined;
}

/** The nearest folder, from this one up to the workspace folder, that has one of the files. */
async function folderWith(names: readonly string[], from: vscode.Uri): Promise<vscode.Uri | undefined> {
  const top = vscode.workspace.getWorkspaceFolder(from)?.uri;
  for (let folder = from; ; folder = vscode.Uri.joinPath(folder, '..')) {
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

/** '' for a file that doesn't exist. The text that is open and not saved counts. */
async function readText(uri: vscode.Uri, shownPath: string): Promise<string> {
  let stat: vscode.FileStat;
  try {
    stat = await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return '';
    throw new EnvFileError(t("Couldn't read {0}. The key wasn't moved.", shownPath));
  }
  if ((stat.type & vscode.FileType.Directory) !== 0) {
    throw new EnvFileError(t("{0} is a folder. The key wasn't moved.", shownPath));
  }
  if (stat.size > MOST_BYTES) throw new EnvFileError(t("{0} is larger than 1 MB. The key wasn't moved.", shownPath));
  const open = openDocument(uri);
  if (open?.isDirty === true) return open.getText();
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw error instanceof TypeError
      ? new EnvFileError(t("{0} isn't a UTF-8 file. The key wasn't moved.", shownPath))
      : new EnvFileError(t("Couldn't read {0}. The key wasn't moved.", shownPath));
  }
}

/** Through the editor where the file is open with unsaved changes, which would be lost otherwise. */
async function writeText(uri: vscode.Uri, text: string, shownPath: string): Promise<void> {
  const failed = new EnvFileError(t("Couldn't write to {0}. The key wasn't moved.", shownPath));
  const open = openDocument(uri);
  if (open?.isDirty === true) {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, open.positionAt(open.getText().length), text.slice(open.getText().length));
    if (!(await vscode.workspace.applyEdit(edit)) || !(await open.save())) throw failed;
    return;
  }
  try {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  } catch {
    throw failed;
  }
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
