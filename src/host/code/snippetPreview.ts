import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CodePreview } from '../../commands/context.ts';
import { DisposableStore } from '../../util/disposable.ts';

const SCHEME = 'live-streams-snippet';

/**
 * Shows code in the tab group of an editor, which has the width that the code will get. A group next to it would often
 * be too narrow. A notebook cell and a side of a comparison have no group of their own, and couldn't be shown again.
 */
export function openSnippetPreview(editor: vscode.TextEditor, onError: (error: unknown) => void): CodePreview {
  const { document, viewColumn } = editor;
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<vscode.Uri>());
  // A new URI each time: VS Code keeps the text of a document for a while after its tab was closed.
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${t('Preview')}`, query: `${Date.now()}` });
  let text = '';
  let opening: Promise<void> | undefined;
  owned.add(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changes.event,
      provideTextDocumentContent: () => text,
    }),
  );
  return {
    show(code) {
      text = code;
      if (opening === undefined) opening = openTab(uri, document.languageId, viewColumn).catch(onError);
      else changes.fire(uri);
    },
    async close() {
      // A tab that is still being opened can't be closed yet.
      await opening;
      try {
        // Closing the tab may show another file, and doesn't wait until it's shown.
        if (opening !== undefined && viewColumn !== undefined)
          await vscode.window.showTextDocument(document, viewColumn);
        await closeTabs(uri);
      } catch (error) {
        onError(error);
      } finally {
        owned.dispose();
      }
    },
  };
}

async function openTab(uri: vscode.Uri, languageId: string, column: vscode.ViewColumn | undefined): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.languages.setTextDocumentLanguage(document, languageId);
  // A preview tab would replace the file's tab in the group, if that is a preview tab too.
  const viewColumn = column ?? vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: false });
}

async function closeTabs(uri: vscode.Uri): Promise<void> {
  const isShown = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isShown);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
