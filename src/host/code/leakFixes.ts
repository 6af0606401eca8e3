import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../api/errors.ts';
import { envExpression, envImport, type KeyRange } from '../../code/envExpression.ts';
import { TOKEN_VARIABLES } from '../../code/envFile.ts';
import { EnvMoveError, ignoredText } from '../../code/envMove.ts';
import type { KeyOwner } from '../../code/keyIndex.ts';
import type { Leak } from '../../code/leaks.ts';
import type { TextChange } from '../../code/snippets/changes.ts';
import type { Settings } from '../../model/settingValues.ts';
import type { Log } from '../../services.ts';
import type { makeQueue } from '../../util/async.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { joinTexts } from '../../util/text.ts';
import { canHaveEnvFile, type WrittenVariables, writeToEnvFile } from './envFiles.ts';
import { fileOf, type GitFiles } from './guardedFiles.ts';

interface FixOptions {
  readonly guard: { leaksOf(uri: vscode.Uri): readonly Leak[]; ignore(uri: vscode.Uri): void };
  readonly git: GitFiles;
  /** Writes env files in sequence: two writes at once would both add to the same old text. */
  readonly queue: ReturnType<typeof makeQueue>;
  readonly settings: Settings;
  readonly log: Log;
}

const FLASH_MS = 4000;

/** Commands that only the fixes run, so they aren't in the manifest. */
const MOVE = '_liveStreams.moveKeyToEnv';
const IGNORE = '_liveStreams.ignoreKeysInFile';
const EXCLUDE = '_liveStreams.excludeFile';

/** The keys that are worth a variable. A token expires soon. */
type MovableKind = Exclude<KeyOwner['kind'], 'token'>;

const VARIABLES: Readonly<Record<MovableKind, string>> = {
  apiKey: 'LIVEPEER_API_KEY',
  streamKey: 'STREAM_KEY',
  privateKey: TOKEN_VARIABLES.privateKey,
};
const PLACEHOLDERS: Readonly<Record<KeyOwner['kind'], string>> = {
  apiKey: 'YOUR_API_KEY',
  streamKey: 'YOUR_STREAM_KEY',
  privateKey: 'YOUR_PRIVATE_KEY',
  token: 'YOUR_TOKEN',
};

/** Quick fixes for marked keys. */
export function registerLeakFixes(options: FixOptions): Disposable {
  const owned = new DisposableStore();
  const { guard, queue, log } = options;
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
        const written = await queue(() => moveKey(options, uri, at));
        // VS Code shows progress until the command ends, so the command doesn't wait for a response to the message.
        reportMoved(written).catch((error) => log.error('Opening an env file failed', error));
      } catch (error) {
        if (!(error instanceof EnvMoveError)) log.error('Moving a key to an env file failed', error);
        const message = error instanceof EnvMoveError ? error.message : t("Couldn't move the key to a .env file.");
        void vscode.window.showErrorMessage(message);
      }
    }),
  );
  owned.add(vscode.commands.registerCommand(IGNORE, (uri: vscode.Uri) => guard.ignore(uri)));
  owned.add(
    vscode.commands.registerCommand(EXCLUDE, async (uri: vscode.Uri) => {
      try {
        await excludeFile(options, uri);
      } catch (error) {
        log.error('Excluding a file from the search for keys failed', error);
        void vscode.window.showErrorMessage(t("Couldn't change the folder settings. {0}", errorText(error)));
      }
    }),
  );
  return owned;
}

function fixesOf(document: vscode.TextDocument, leak: Leak): readonly vscode.CodeAction[] {
  const { uri } = document;
  const { owner } = leak;
  const fixes: vscode.CodeAction[] = [];
  if (
    owner.kind !== 'token' &&
    expressionFor(document, leak, VARIABLES[owner.kind]) !== undefined &&
    canHaveEnvFile(fileOf(uri))
  ) {
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
  if (owner.kind === 'privateKey' || owner.kind === 'token') {
    const remove = fix(t('Delete the signing key…'));
    remove.command = { title: remove.title, command: 'liveStreams.deleteSigningKey', arguments: [{ id: owner.id }] };
    fixes.push(remove);
  }
  const ignore = fix(t('Ignore in this file until the window reloads'));
  ignore.command = { title: ignore.title, command: IGNORE, arguments: [uri] };
  return [...fixes, ignore, ...excludingFixes(uri)];
}

/** Returns undefined if the key can't be moved to a variable, like a PEM, which isn't the form that programs read. */
function expressionFor(document: vscode.TextDocument, leak: Leak, name: string): TextChange | undefined {
  const isPem = leak.owner.kind === 'privateKey' && document.getText(rangeOf(leak)).startsWith('-');
  return isPem ? undefined : envExpression(placeOf(document, leak), name);
}

function excludingFixes(uri: vscode.Uri): readonly vscode.CodeAction[] {
  // In Restricted Mode, the setting of a folder has no effect.
  if (!vscode.workspace.isTrusted || vscode.workspace.getWorkspaceFolder(fileOf(uri)) === undefined) return [];
  const exclude = fix(t('Always ignore in this file'));
  exclude.command = { title: exclude.title, command: EXCLUDE, arguments: [uri] };
  return [exclude];
}

/** Adds the file to a setting of its folder, which is shared through Git. */
async function excludeFile({ settings }: FixOptions, uri: vscode.Uri): Promise<void> {
  const file = fileOf(uri);
  const path = vscode.workspace.asRelativePath(file, false);
  // Globs have no escape character.
  const pattern = path.replace(/[*?[\]{}]/g, '?');
  const patterns = [...settings.leakGuardExclude(uri.toString()), pattern];
  const { WorkspaceFolder } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('liveStreams', file).update('leakGuardExclude', patterns, WorkspaceFolder);
  vscode.window.setStatusBarMessage(t('Excluded {0} from the search for leaked keys', path), FLASH_MS);
}

type MovedKey = WrittenVariables & { readonly kind: MovableKind };

const SAFEST: Readonly<Record<MovableKind, () => string>> = {
  streamKey: () => t('To be safe, create a new stream and delete this one.'),
  apiKey: () => t('To be safe, revoke it and create a new one.'),
  privateKey: () => t('To be safe, create a new signing key and delete this one.'),
};

/** Writes the variable first: if editing the code fails, the key is in both places rather than in neither. */
async function moveKey({ guard, git }: FixOptions, uri: vscode.Uri, at: vscode.Position): Promise<MovedKey> {
  const document = await vscode.workspace.openTextDocument(uri);
  const leak = guard.leaksOf(uri).find(({ line, start }) => line === at.line && start === at.character);
  const kind = leak?.owner.kind;
  if (leak === undefined || kind === undefined || kind === 'token')
    throw new EnvMoveError(t('The key is no longer in this file.'));
  const key = document.getText(rangeOf(leak));
  const written = await writeToEnvFile(git, fileOf(uri), [{ name: VARIABLES[kind], value: key }]);
  const { shownPath } = written;
  const [name = ''] = written.names;
  // The text may have changed in the meantime.
  const same = guard.leaksOf(uri).filter((each) => document.getText(rangeOf(each)) === key);
  const now =
    same.find(({ line, start }) => line === at.line && start === at.character) ??
    same.find((each) => expressionFor(document, each, name) !== undefined);
  const edit = now && readInstead(document, now, name);
  if (edit === undefined || !(await vscode.workspace.applyEdit(edit))) {
    throw new EnvMoveError(
      t("Added {0} to {1}, but the code couldn't be edited. Replace the key in the code yourself.", name, shownPath),
    );
  }
  return { ...written, kind };
}

/** Returns the edit that replaces the key with a variable. undefined if that may not fit. */
function readInstead(document: vscode.TextDocument, leak: Leak, name: string): vscode.WorkspaceEdit | undefined {
  const expression = expressionFor(document, leak, name);
  if (expression === undefined) return undefined;
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of [expression, ...envImport(placeOf(document, leak))]) {
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  }
  return edit;
}

async function reportMoved(moved: MovedKey): Promise<void> {
  const { shownPath, uri, kind } = moved;
  const [name = ''] = moved.names;
  const open = t('Open .env');
  const chosen = await vscode.window.showInformationMessage(
    joinTexts(
      t('Moved the key to {0} as {1}. Make sure that your program loads {0}.', shownPath, name),
      ignoredText(moved),
      t("If you ever saved or committed the key, it may still be in VS Code's local history or in Git history."),
      SAFEST[kind](),
    ),
    open,
  );
  if (chosen === open) await vscode.window.showTextDocument(uri);
}

function placeOf(document: vscode.TextDocument, leak: Leak): KeyRange {
  const { start, end } = rangeOf(leak);
  const offsets = { start: document.offsetAt(start), end: document.offsetAt(end) };
  return { languageId: document.languageId, text: document.getText(), ...offsets };
}

function fix(title: string): vscode.CodeAction {
  return new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
}

export function rangeOf({ line, start, endLine = line, end }: Leak): vscode.Range {
  return new vscode.Range(line, start, endLine, end);
}
