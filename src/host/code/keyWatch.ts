import * as vscode from 'vscode';
import { isPartOfLongRun, mayHoldKey, SHORTEST_KEY } from '../../code/tokens.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';

/** The schemes of documents that users write: files, notebook cells, and the box for commit messages. */
const SCHEMES: ReadonlySet<string> = new Set([
  'file',
  'untitled',
  'vscode-remote',
  'vscode-vfs',
  'vscode-notebook-cell',
  'vscode-scm',
]);

export function isWritten(document: vscode.TextDocument): boolean {
  return SCHEMES.has(document.uri.scheme);
}

/**
 * Whether a change is within one line and created no token that may be a key. Takes only a few steps while the user
 * types.
 */
export function isPlainTyping({ document, contentChanges }: vscode.TextDocumentChangeEvent): boolean {
  const change = contentChanges[0];
  if (change === undefined || contentChanges.length > 1) return false;
  const { range, text } = change;
  const { line, character } = range.start;
  if (range.end.line !== line || text.length >= SHORTEST_KEY || text.includes('\n')) return false;
  return !isPartOfLongRun(document.lineAt(line).text, character, character + text.length);
}

/** Longer documents count as possibly having a key: the code that is loaded then searches them in slices. */
const MOST_LINES = 2000;

/**
 * Watches open documents until one may contain a key, and then calls `load` once. Documents that are already open wait
 * until the caller is done: a window restores many, and each takes some milliseconds.
 */
export function watchForKeys(load: () => void): Disposable {
  const owned = new DisposableStore();
  const found = () => {
    owned.dispose();
    load();
  };
  const look = (document: vscode.TextDocument, first: number, last: number) => {
    if (owned.isDisposed || !isWritten(document)) return;
    if (last - first > MOST_LINES) return found();
    for (let line = first; line <= Math.min(last, document.lineCount - 1); line += 1) {
      if (mayHoldKey(document.lineAt(line).text)) return found();
    }
  };
  const { workspace } = vscode;
  owned.add(
    workspace.onDidChangeTextDocument((event) => {
      if (isPlainTyping(event)) return;
      const { document, contentChanges } = event;
      let [first, last, added] = [Number.POSITIVE_INFINITY, 0, 0];
      for (const { range, text } of contentChanges) {
        first = Math.min(first, range.start.line);
        last = Math.max(last, contentChanges.length === 1 ? first : range.end.line);
        added += linesIn(text);
      }
      look(document, first, last + added);
    }),
  );
  owned.add(workspace.onDidOpenTextDocument((document) => look(document, 0, document.lineCount)));
  const open = [...workspace.textDocuments];
  const lookAtNext = () => {
    const document = open.pop();
    if (document === undefined || owned.isDisposed) return;
    look(document, 0, document.lineCount);
    setImmediate(lookAtNext);
  };
  setImmediate(lookAtNext);
  return owned;
}

function linesIn(text: string): number {
  return text.length > 1 || text === '\n' ? (text.match(/\n/g)?.length ?? 0) : 0;
}
