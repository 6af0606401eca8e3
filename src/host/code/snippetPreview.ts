import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CodePreview } from '../../commands/context.ts';
import { DisposableStore } from '../../util/disposable.ts';

const SCHEME = 'live-streams-snippet';

/** Opens no tab before it has something to show. */
export function openSnippetPreview(languageId: string, onError: (error: unknown) => void): CodePreview {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<vscode.Uri>());
  // VS Code keeps the text of a document for a while after its tab was closed.
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
      if (opening === undefined) opening = openBeside(uri, languageId).catch(onError);
      else changes.fire(uri);
    },
    dispose() {
      // A tab that is still being opened can't be closed yet.
      void Promise.resolve(opening)
        .then(() => closeTabs(uri))
        .catch(onError)
        .finally(() => owned.dispose());
    },
  };
}

async function openBeside(uri: vscode.Uri, languageId: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.languages.setTextDocumentLanguage(document, languageId);
  const viewColumn = vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: true });
}

async function closeTabs(uri: vscode.Uri): Promise<void> {
  const isShown = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isShown);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
