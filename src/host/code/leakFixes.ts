import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { envExpression, envImport, type KeyPlace } from '../../code/envExpression.ts';
import type { KeyOwner } from '../../code/keyIndex.ts';
import type { Leak } from '../../code/leaks.ts';
import type { Log } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { EnvFileError, moveToEnvFile, type WrittenVariable } from './envFiles.ts';
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
        await moveKey(options, uri, at);
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
    const show = fix(t('Show stream'));
    show.command = { title: show.title, command: 'liveStreams.showStream', arguments: [owner.id] };
    fixes.push(show);
  }
  const ignore = fix(t('Ignore in this file'));
  ignore.command = { title: ignore.title, command: IGNORE, arguments: [uri] };
  return [...fixes, ignore];
}

/** Writes the variable first: an edit of the code that fails leaves the key in both places, never in neither. */
async function moveKey({ guard, git }: FixOptions, uri: vscode.Uri, at: vscode.Position): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const leak = guard.leaksOf(uri).find(({ line, start }) => line === at.line && start === at.character);
  if (leak === undefined) return;
  const key = document.getText(rangeOf(leak));
  const written = await moveToEnvFile(git, fileOf(uri), { name: VARIABLES[leak.owner.kind], value: key });
  const { name, shownPath } = written;
  // The text may have changed meanwhile.
  const same = guard.leaksOf(uri).filter((each) => document.getText(rangeOf(each)) === key);
  const now =
    same.find(({ line, start }) => line === at.line && start === at.character) ??
    same.find((each) => envExpression(placeOf(document, each), name) !== undefined);
  const place = now && placeOf(document, now);
  const replacement = place && envExpression(place, name);
  const edit = new vscode.WorkspaceEdit();
  if (now !== undefined && place !== undefined && replacement !== undefined) {
    edit.replace(uri, new vscode.Range(now.line, replacement.start, now.line, replacement.end), replacement.text);
    const needed = envImport(place);
    if (needed !== undefined) edit.insert(uri, new vscode.Position(needed.line, 0), needed.text);
  }
  if (edit.size === 0 || !(await vscode.workspace.applyEdit(edit))) {
    throw new EnvFileError(
      t("{0} is in {1} now, but the code couldn't be edited. Replace the key there.", name, shownPath),
    );
  }
  await reportMoved(written);
}

async function reportMoved({ name, shownPath, uri }: WrittenVariable): Promise<void> {
  const open = t('Open .env');
  const chosen = await vscode.window.showInformationMessage(t('Moved the key to {0} as {1}.', shownPath, name), open);
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
