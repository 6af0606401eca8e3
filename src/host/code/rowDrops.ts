import * as vscode from 'vscode';
import type { SnippetForm } from '../../code/snippets.ts';
import type { Node } from '../../tree/nodes.ts';
import type { Disposable } from '../../util/disposable.ts';

type ViewId = 'liveStreams.streams' | 'liveStreams.recordings';

/** Returns the forms of dragged rows in a language. Doesn't throw; undefined if there are none. */
export type FormsOfRows = (languageId: string, rows: readonly unknown[]) => Promise<readonly SnippetForm[] | undefined>;

const MIME_TYPES = (['liveStreams.streams', 'liveStreams.recordings'] as const).map(mimeTypeOf);
const KIND = vscode.DocumentDropOrPasteEditKind.Text.append('liveStreams');

/** Lets rows of a view be dragged into an editor, and nothing be dropped on it. */
export function createRowDrags(id: ViewId): vscode.TreeDragAndDropController<Node> {
  const type = mimeTypeOf(id);
  return {
    dragMimeTypes: [type],
    dropMimeTypes: [],
    handleDrag: (rows, transfer) => transfer.set(type, new vscode.DataTransferItem(JSON.stringify(rows))),
  };
}

/** Turns rows that are dropped into a text editor into code. */
export function registerRowDrops(formsOf: FormsOfRows): Disposable {
  const provider: vscode.DocumentDropEditProvider = {
    async provideDocumentDropEdits(document, _position, transfer) {
      const items = MIME_TYPES.map((type) => transfer.get(type)).filter((item) => item !== undefined);
      const [item] = items;
      const rows = item === undefined ? undefined : readRows(await item.asString());
      const forms = rows && (await formsOf(languageOf(document), rows));
      return forms?.map(({ id, label, text }) => {
        return new vscode.DocumentDropEdit(toSnippet(text), label, KIND.append(id));
      });
    },
  };
  const types = { dropMimeTypes: MIME_TYPES, providedDropEditKinds: [KIND] };
  return vscode.languages.registerDocumentDropEditProvider({ pattern: '**' }, provider, types);
}

/** VS Code has no language of its own for env files. */
export function languageOf({ uri, languageId }: vscode.TextDocument): string {
  return /(?:^|\/)\.env(?:\.[^/]*)?$/.test(uri.path) ? 'dotenv' : languageId;
}

/** Inserts the text as it is, but indented as the editor's settings say: VS Code does so with tabs. */
export function toSnippet(text: string): vscode.SnippetString {
  const indented = text.replace(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2));
  return new vscode.SnippetString().appendText(indented);
}

/** The type that VS Code gives the rows of a view. */
function mimeTypeOf(id: ViewId): string {
  return `application/vnd.code.tree.${id.toLowerCase()}`;
}

/** undefined for what another extension put there under the same type. */
function readRows(text: string): readonly unknown[] | undefined {
  try {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows : undefined;
  } catch {
    return undefined;
  }
}
