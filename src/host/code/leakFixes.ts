import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { envExpression, envImport, type KeyPlace } from '../../code/envExpression.ts';
import { addIgnored, addVariable } from '../../code/envFile.ts';
import type { FileLocation } from '../../code/exposure.ts';
import type { KeyOwner } from '../../code/keyIndex.ts';
import type { Leak } from '../../code/leaks.ts';
import type { Log } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { fileOf, type GitFiles } from './guardedFiles.ts';

interface FixOptions {
  readonly guard: { leaksOf(uri: vscode.Uri): readonly Leak[]; ignore(uri: vscode.Uri): void };
  readonly git: GitFiles;
  readonly log: Pick<Log, 'error'>;
}

/** Commands of the fixes alone: nobody else can call them in a useful way, so they are in no manifest. */
const MOVE = '_liveStreams.moveKeyToEnv';
const IGNORE = '_liveStreams.ignoreKeysInFile';

const VARIABLES: Readonly<Record<KeyOwner['kind'], string>> = { apiKey: 'LIVEPEER_API_KEY', streamKey: 'STREAM_KEY' };
const PLACEHOLDERS: Readonly<Record<KeyOwner['kind'], string>> = {
  apiKey: 'YOUR_API_KEY',
  streamKey: 'YOUR_STREAM_KEY',
};

/** Quick fixes for marked keys. */
export function registerLeakFixes(options: FixOptions): Disposable {
  const owned = new DisposableStore();
  const { guard, log } = options;
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: (document, range) =>
      guard
        .leaksOf(document.uri)
        .filter((leak) => rangeOf(leak).intersection(range) !== undefined)
        .flatMap((leak) => fixesOf(document, leak)),
  };
  const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  owned.add(vscode.languages.registerCodeActionsProvider({ pattern: '**' }, provider, kinds));
  owned.add(
    vscode.commands.registerCommand(MOVE, async (uri: vscode.Uri, at: vscode.Position) => {
      try {
        const written = await moveKey(options, uri, at);
        // VS Code shows progress until the command ends, which doesn't depend on whether the message is answered.
        reportMoved(written).catch((error) => log.error('Opening an env file failed', error));
      } catch (error) {
        if (!(error instanceof EnvFileError)) log.error('Moving a key to an env file failed', error);
        const message = error instanceof EnvFileError ? error.message : t("Couldn't move the key to an .env file.");
        void vscode.window.showErrorMessage(message);
      }
    }),
  );
  owned.add(vscode.commands.registerCommand(IGNORE, (uri: vscode.Uri) => guard.ignore(uri)));
  return owned;
}

function fixesOf(document: vscode.TextDocument, leak: Leak): readonly vscode.CodeAction[] {
  const { uri } = document;
  const { owner } = leak;
  const fixes: vscode.CodeAction[] = [];
  if (envExpression(placeOf(document, leak), VARIABLES[owner.kind]) !== undefined && canHaveEnvFile(fileOf(uri))) {
    const move = fix(t('Move to .env'));
    move.command = { title: move.title, command: MOVE, arguments: [uri, new vscode.Position(leak.line, leak.start)] };
    move.isPreferred = true;
    fixes.push(move);
  }
  const replace = fix(t('Replace with a placeholder'));
  replace.edit = new vscode.WorkspaceEdit();
  replace.edit.replace(uri, rangeOf(leak), PLACEHOLDERS[owner.kind]);
  fixes.push(replace);
  if (owner.kind === 'streamKey') {
    const show = fix(t('Show stream details'));
    show.command = { title: show.title, command: 'liveStreams.showStream', arguments: [owner.id] };
    fixes.push(show);
  }
  const ignore = fix(t('Ignore in this file until the window closes'));
  ignore.command = { title: ignore.title, command: IGNORE, arguments: [uri] };
  return [...fixes, ignore];
}

/** Writes the variable first: an edit of the code that fails leaves the key in both places, never in neither. */
async function moveKey({ guard, git }: FixOptions, uri: vscode.Uri, at: vscode.Position): Promise<WrittenVariable> {
  const document = await vscode.workspace.openTextDocument(uri);
  const leak = guard.leaksOf(uri).find(({ line, start }) => line === at.line && start === at.character);
  if (leak === undefined) throw new EnvFileError(t("There's no key here anymore."));
  const key = document.getText(rangeOf(leak));
  const written = await moveToEnvFile(git, fileOf(uri), { name: VARIABLES[leak.owner.kind], value: key });
  const { name, shownPath } = written;
  // The text may have changed meanwhile.
  const same = guard.leaksOf(uri).filter((each) => document.getText(rangeOf(each)) === key);
  const now =
    same.find(({ line, start }) => line === at.line && start === at.character) ??
    same.find((each) => envExpression(placeOf(document, each), name) !== undefined);
  const edit = now && readInstead(document, now, name);
  if (edit === undefined || !(await vscode.workspace.applyEdit(edit))) {
    throw new EnvFileError(
      t("Added {0} to {1}, but the code couldn't be edited. Replace the key in the code yourself.", name, shownPath),
    );
  }
  return written;
}

/** The edit that reads a variable in place of the key. undefined where that isn't certain. */
function readInstead(document: vscode.TextDocument, leak: Leak, name: string): vscode.WorkspaceEdit | undefined {
  const place = placeOf(document, leak);
  const expression = envExpression(place, name);
  if (expression === undefined) return undefined;
  const { uri } = document;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(leak.line, expression.start, leak.line, expression.end), expression.text);
  const needed = envImport(place);
  if (needed !== undefined) edit.insert(uri, new vscode.Position(needed.line, 0), needed.text);
  return edit;
}

async function reportMoved({ name, shownPath, uri }: WrittenVariable): Promise<void> {
  const open = t('Open .env');
  const chosen = await vscode.window.showInformationMessage(
    t(
      'Moved the key to {0} as {1}. Make sure that your program loads {0}. If the key was ever committed, it is still in the Git history and should be replaced.',
      shownPath,
      name,
    ),
    open,
  );
  if (chosen === open) await vscode.window.showTextDocument(uri);
}

function placeOf(document: vscode.TextDocument, { line, start, end }: Leak): KeyPlace {
  const above = document.getText(new vscode.Range(0, 0, line, 0));
  return { languageId: document.languageId, line: document.lineAt(line).text, above, start, end };
}

function canHaveEnvFile({ scheme }: vscode.Uri): boolean {
  return vscode.workspace.fs.isWritableFileSystem(scheme) === true && scheme !== 'untitled';
}

function fix(title: string): vscode.CodeAction {
  return new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
}

function rangeOf({ line, start, end }: Leak): vscode.Range {
  return new vscode.Range(line, start, line, end);
}

/** With a sentence for the person. */
class EnvFileError extends Error {}

interface WrittenVariable {
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
function moveToEnvFile(
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
        t(
          'Git doesn\'t ignore {0}, so the key wasn\'t moved. If Git tracks the file, run "git rm --cached" on it, which keeps it on disk. Otherwise, check .gitignore for an exception.',
          shownPath,
        ),
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
