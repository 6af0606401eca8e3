import * as vscode from 'vscode';
import type { TextChange } from '../../code/snippets/changes.ts';
import type { Cursor, OpenText } from '../../code/snippets/insertion.ts';
import type { CodeEditor } from '../../commands/context.ts';
import type { Log } from '../../services.ts';
import { openSnippetPreview } from './snippetPreview.ts';

/** Returns the last used editor: a text editor, or the selected cell of a notebook. */
export function findCodeEditor(log: Log): CodeEditor | undefined {
  const { activeTextEditor, activeNotebookEditor } = vscode.window;
  if (activeTextEditor !== undefined) return createCodeEditor(activeTextEditor, log);
  const cell = activeNotebookEditor && selectedCell(activeNotebookEditor);
  const editor = cell && vscode.window.visibleTextEditors.find(({ document }) => document === cell.document);
  return editor && createCodeEditor(editor, log);
}

function selectedCell({ notebook, selection }: vscode.NotebookEditor): vscode.NotebookCell | undefined {
  return selection.isEmpty ? undefined : notebook.cellAt(selection.start);
}

function createCodeEditor(editor: vscode.TextEditor, log: Log): CodeEditor {
  const { document, viewColumn } = editor;
  return {
    read() {
      const cursors = editor.selections.map(({ start, end }) => {
        return { start: document.offsetAt(start), end: document.offsetAt(end) };
      });
      return openText(editor, cursors);
    },
    readNearest: (name) => readNearest(document.uri, name),
    async apply(changes) {
      const { version } = document;
      const edits = toTextEdits(document, changes);
      try {
        // An editor that the preview hid is a new object once it's shown again.
        const isShown = (each: vscode.TextEditor) => each.document === document && each.viewColumn === viewColumn;
        const shown = vscode.window.visibleTextEditors.find(isShown) ?? editor;
        const isDone = await shown.edit((edit) => {
          for (const { range, newText } of edits) edit.replace(range, newText);
        });
        // VS Code also returns true for documents that can't be edited.
        if (!isDone || document.version === version) return false;
        revealLargest(shown, changes);
        return true;
      } catch (error) {
        // The editor was closed while the user was choosing.
        log.warn(`A snippet couldn't be inserted: ${String(error)}`);
        return false;
      }
    },
    openPreview: () => openSnippetPreview(editor, (error) => log.warn(`A snippet has no preview: ${String(error)}`)),
  };
}

/** Code may be inserted far from the cursor, such as in the body of a page. Its imports needn't be visible. */
function revealLargest(editor: vscode.TextEditor, changes: readonly TextChange[]): void {
  let added = 0;
  const inserted = changes.map(({ start, end, text }) => {
    const at = start + added;
    added += text.length - (end - start);
    return { at, text };
  });
  const [largest] = inserted.toSorted((one, other) => other.text.length - one.text.length);
  if (largest === undefined) return;
  // Empty lines above the code don't matter.
  const first = editor.document.positionAt(largest.at + (/^\s*/.exec(largest.text)?.[0].length ?? 0));
  editor.revealRange(new vscode.Range(first, first), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

const MAX_MANIFEST_BYTES = 1_000_000;

/** Searches no higher than the workspace folder. A file outside all of these gets the manifest of the first one. */
async function readNearest(uri: vscode.Uri, name: string): Promise<string | undefined> {
  const { workspaceFolders, getWorkspaceFolder, fs } = vscode.workspace;
  const top = (getWorkspaceFolder(uri) ?? workspaceFolders?.[0])?.uri;
  if (top === undefined) return undefined;
  const isWithin = uri.path.startsWith(`${top.path}/`);
  const between = isWithin
    ? uri.path
        .slice(top.path.length + 1)
        .split('/')
        .slice(0, -1)
    : [];
  for (let depth = between.length; depth >= 0; depth--) {
    const file = vscode.Uri.joinPath(top, ...between.slice(0, depth), name);
    try {
      const { size } = await fs.stat(file);
      if (size <= MAX_MANIFEST_BYTES) return Buffer.from(await fs.readFile(file)).toString();
    } catch {
      // Most folders have no such file, and one that can't be read counts as none.
    }
  }
  return undefined;
}

export function toTextEdits(document: vscode.TextDocument, changes: readonly TextChange[]): vscode.TextEdit[] {
  return changes.map(({ start, end, text }) => {
    return new vscode.TextEdit(new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  });
}

function openText({ document, options }: vscode.TextEditor, cursors: readonly Cursor[]): OpenText {
  return { languageId: languageOf(document), text: document.getText(), unit: unitOf(options), cursors };
}

/** Returns the text that is the target of a drop. */
export function readDropTarget(document: vscode.TextDocument, position: vscode.Position): OpenText {
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  const offset = document.offsetAt(position);
  const unit = unitOf(editor?.options ?? {});
  return {
    languageId: languageOf(document),
    text: document.getText(),
    unit,
    cursors: [{ start: offset, end: offset }],
  };
}

function unitOf({ insertSpaces, indentSize, tabSize }: vscode.TextEditorOptions): string {
  if (insertSpaces === false) return '\t';
  const size = typeof indentSize === 'number' ? indentSize : tabSize;
  return ' '.repeat(typeof size === 'number' ? size : 2);
}

/** VS Code has no language of its own for env files. */
function languageOf({ uri, languageId }: vscode.TextDocument): string {
  return /(?:^|\/)\.env(?:\.[^/]*)?$/.test(uri.path) ? 'dotenv' : languageId;
}
