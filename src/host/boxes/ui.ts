import * as vscode from 'vscode';
import type { Log, Question, RowReference, Severity, Ui } from '../../services.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';
import type { MaskedDocuments } from './documents.ts';
import { externalAddress } from './externalAddress.ts';
import { showInput } from './inputBox.ts';
import { createLocalFiles } from './localFiles.ts';
import { showPick } from './pickBox.ts';
import { withoutIcons, withoutLinks } from './plainText.ts';
import { showProgress } from './progress.ts';
import { askAndSave } from './saveFile.ts';

const FLASH_MS = 4000;

export interface UiOptions {
  readonly log: Log & { show(): void };
  /** Where the extension runs, which in a remote window can be either machine. */
  readonly where: vscode.ExtensionKind;
  readonly documents: Pick<MaskedDocuments, 'show' | 'revealActive'>;
  readonly reveal: (row: RowReference) => Promise<void>;
}

export function createUi({ log, where, documents, reveal }: UiOptions): Ui & Disposable {
  const flashed = new DisposableSlot();
  const flash = (message: string) => flashed.set(vscode.window.setStatusBarMessage(withoutIcons(message), FLASH_MS));
  const files = createLocalFiles(where, flash);
  return {
    pick: showPick,
    input: showInput,
    confirm: askModally,
    progress: showProgress,
    async notify(severity, message, ...actions) {
      try {
        return await MESSAGES[severity](withoutLinks(message), ...actions);
      } catch (error) {
        log.error('A message could not be shown', error);
        return undefined;
      }
    },
    flash,
    copy: async (text) => vscode.env.clipboard.writeText(text),
    openAddress,
    openSettings: async (settingId) => {
      await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${settingId}`);
    },
    saveFile: askAndSave,
    saveTarget: files.ask,
    revealFile: files.reveal,
    openFile: files.open,
    showDocument: documents.show,
    revealSecrets: documents.revealActive,
    reveal,
    showLog: () => log.show(),
    dispose: () => flashed.dispose(),
  };
}

const MESSAGES: Readonly<Record<Severity, (message: string, ...actions: string[]) => Thenable<string | undefined>>> = {
  info: (message, ...actions) => vscode.window.showInformationMessage(message, ...actions),
  warning: (message, ...actions) => vscode.window.showWarningMessage(message, ...actions),
  error: (message, ...actions) => vscode.window.showErrorMessage(message, ...actions),
};

async function askModally({ message, detail, act }: Question): Promise<boolean> {
  const options = { modal: true, ...(detail === undefined ? {} : { detail }) };
  return (await vscode.window.showWarningMessage(message, options, act)) === act;
}

/** `vscode.open` keeps an address that is passed as a string; `env.openExternal` would encode its query again. */
async function openAddress(url: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', await externalAddress(url));
}
