import * as vscode from 'vscode';
import type { BoxlessUi, Log, Question, RowReference, Severity } from '../../services.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';
import { withoutIcons, withoutLinks } from '../../util/markup.ts';
import type { MaskedDocuments } from './documents.ts';
import { externalAddress } from './externalAddress.ts';

const FLASH_MS = 4000;

interface UiOptions {
  readonly log: Log & { show(): void };
  readonly documents: MaskedDocuments;
  readonly reveal: (row: RowReference) => Promise<void>;
}

export function createUi({ log, documents, reveal }: UiOptions): BoxlessUi & Disposable {
  const flashed = new DisposableSlot();
  const copied = new Emitter<void>();
  let editCount = 0;
  const edits = vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
    if (kind !== undefined && kind !== vscode.TextEditorSelectionChangeKind.Command) editCount += 1;
  });
  return {
    confirm: async (question) => (await askModally(question)) === question.act,
    async notify(severity, message, ...actions) {
      try {
        return await MESSAGES[severity](withoutLinks(message), ...actions);
      } catch (error) {
        log.error("Couldn't show a message", error);
        return undefined;
      }
    },
    flash: (message) => flashed.set(vscode.window.setStatusBarMessage(withoutIcons(message), FLASH_MS)),
    countEdits: () => editCount,
    // Messages between VS Code's window and extensions arrive in order: the response comes after earlier events.
    async catchUp() {
      await vscode.commands.executeCommand('noop');
    },
    async copy(text) {
      await vscode.env.clipboard.writeText(text);
      copied.fire();
    },
    onDidCopy: copied.event,
    openAddress,
    openSettings: async (settingId) => {
      await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${settingId}`);
    },
    showDocument: documents.show,
    revealSecrets: documents.revealActive,
    reveal,
    // Unlike `showCollapseAll`, a command of the extension's own can have a `when` clause (src/host/README.md, Trees).
    async collapseRows(view) {
      await vscode.commands.executeCommand(`workbench.actions.treeView.liveStreams.${view}.collapseAll`);
    },
    showLog: () => log.show(),
    dispose() {
      edits.dispose();
      flashed.dispose();
      copied.dispose();
    },
  };
}

const MESSAGES: Readonly<Record<Severity, (message: string, ...actions: string[]) => Thenable<string | undefined>>> = {
  info: (message, ...actions) => vscode.window.showInformationMessage(message, ...actions),
  warning: (message, ...actions) => vscode.window.showWarningMessage(message, ...actions),
  error: (message, ...actions) => vscode.window.showErrorMessage(message, ...actions),
};

async function askModally({ message, act, ...detail }: Question): Promise<string | undefined> {
  return vscode.window.showWarningMessage(message, { modal: true, ...detail }, act);
}

/** `vscode.open` keeps a URL that is passed as a string; `env.openExternal` would encode its query again. */
async function openAddress(url: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', await externalAddress(url));
}
