import * as vscode from 'vscode';
import type { ViewNode } from '../../model/rows/nodes.ts';
import type { Disposable } from '../../util/disposable.ts';

type ViewId = 'liveStreams.streams' | 'liveStreams.recordings';

/** A form in which rows can be dropped, and its edits. */
interface DroppedForm {
  readonly id: string;
  readonly label: string;
  readonly edits: vscode.TextEdit[];
}

/** Returns the forms of dragged rows at a position. Doesn't throw; undefined if there are none. */
export type FormsOfRows = (
  document: vscode.TextDocument,
  position: vscode.Position,
  rows: readonly unknown[],
) => Promise<readonly DroppedForm[] | undefined>;

const MIME_TYPES = (['liveStreams.streams', 'liveStreams.recordings'] as const).map(mimeTypeOf);
const KIND = vscode.DocumentDropOrPasteEditKind.Text.append('liveStreams');

/** Lets rows of a view be dragged into an editor. Nothing can be dropped on the view. */
export function createRowDrags(id: ViewId): vscode.TreeDragAndDropController<ViewNode> {
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
    async provideDocumentDropEdits(document, position, transfer) {
      const items = MIME_TYPES.map((type) => transfer.get(type)).filter((item) => item !== undefined);
      const [item] = items;
      const rows = item === undefined ? undefined : readRows(await item.asString());
      const forms = rows && (await formsOf(document, position, rows));
      return forms?.map(({ id, label, edits }) => {
        // Has no text of its own: VS Code would indent dropped text again and insert it within a line.
        const drop = new vscode.DocumentDropEdit('', label, KIND.append(id));
        drop.additionalEdit = new vscode.WorkspaceEdit();
        drop.additionalEdit.set(document.uri, edits);
        return drop;
      });
    },
  };
  const types = { dropMimeTypes: MIME_TYPES, providedDropEditKinds: [KIND] };
  return vscode.languages.registerDocumentDropEditProvider({ pattern: '**' }, provider, types);
}

function mimeTypeOf(id: ViewId): string {
  return `application/vnd.code.tree.${id.toLowerCase()}`;
}

/** Returns undefined for data that another extension put there under the same type. */
function readRows(text: string): readonly unknown[] | undefined {
  try {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows : undefined;
  } catch {
    return undefined;
  }
}
