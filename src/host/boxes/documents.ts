import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { MaskedDocument } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';

/** package.json's when-clauses use it too. */
const DOCUMENT_SCHEME = 'live-streams-json';

export interface MaskedDocuments extends Disposable {
  /** Opens the document. Masked, unless it's already open and revealed. */
  show(document: MaskedDocument): Promise<void>;
  /** Makes the document one that VS Code can open. Masked, unless it's already open and revealed. */
  provide(document: MaskedDocument): vscode.Uri;
  /** Reveals the active document until it's closed. Returns false if the active editor shows none. */
  revealActive(): boolean;
}

interface Entry {
  readonly document: MaskedDocument;
  readonly isRevealed: boolean;
}

/** Read-only documents whose secrets are kept in memory only, and only while the documents are open. */
export function createDocuments(scheme = DOCUMENT_SCHEME): MaskedDocuments {
  const owned = new DisposableStore();
  const entries = new Map<string, Entry>();
  const changes = owned.add(new vscode.EventEmitter<vscode.Uri>());

  const forget = (uri: vscode.Uri): void => {
    entries.delete(uri.toString());
  };
  /** VS Code may keep the text of a closed tab for a while, but its secrets must not remain. */
  const forgetClosedTabs = (event: vscode.TabChangeEvent): void => {
    const shown = new Set(shownUris().map(String));
    for (const uri of event.closed.flatMap(urisOfTab)) {
      if (uri.scheme !== scheme || shown.has(uri.toString())) continue;
      forget(uri);
      changes.fire(uri);
    }
  };
  owned.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changes.event,
      provideTextDocumentContent: (uri) => textOf(entries.get(uri.toString())),
    }),
  );
  owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => forget(uri)));
  owned.add(vscode.window.tabGroups.onDidChangeTabs(forgetClosedTabs));
  owned.add({ dispose: () => entries.clear() });

  const provide = (document: MaskedDocument): vscode.Uri => {
    const uri = documentUri(scheme, document);
    entries.set(uri.toString(), { document, isRevealed: entries.get(uri.toString())?.isRevealed ?? false });
    changes.fire(uri);
    return uri;
  };

  return {
    provide,
    async show(document) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(provide(document)));
    },
    revealActive() {
      const uri = vscode.window.activeTextEditor?.document.uri;
      const entry = uri && entries.get(uri.toString());
      if (uri === undefined || entry === undefined) return false;
      entries.set(uri.toString(), { ...entry, isRevealed: true });
      changes.fire(uri);
      return true;
    },
    dispose: () => owned.dispose(),
  };
}

/** The ".json" at the end sets the language mode, regardless of the rest of the name. */
function documentUri(scheme: string, { key, fileName }: MaskedDocument): vscode.Uri {
  const name = fileName.replace(/[/\\\p{Cc}]/gu, '_').slice(0, 100);
  const tab = name.endsWith('.json') ? name : `${name}.json`;
  return vscode.Uri.from({ scheme, path: `/${encodeURIComponent(key)}/${tab}` });
}

/** A tab restored with the window has no text: its content wasn't stored anywhere. */
function textOf(entry: Entry | undefined): string {
  if (entry === undefined) return JSON.stringify({ note: t('Open this document again from Live Streams.') });
  const { document, isRevealed } = entry;
  return isRevealed ? document.revealed : document.masked;
}

function shownUris(): readonly vscode.Uri[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).flatMap(urisOfTab);
}

function urisOfTab({ input }: vscode.Tab): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}
