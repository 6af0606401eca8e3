import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { BoxlessUi, Log, Question, RowReference, Severity, Ui } from '../../services.ts';
import { type Disposable, DisposableSlot } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';
import { withoutIcons, withoutLinks } from '../../util/markup.ts';
import type { MaskedDocuments } from './documents.ts';
import { externalAddress } from './externalAddress.ts';
import { askAndSave } from './saveDialog.ts';

const FLASH_MS = 4000;

interface UiOptions {
  readonly log: Log & { show(): void };
  readonly documents: MaskedDocuments;
  readonly reveal: (row: RowReference) => Promise<void>;
}

export function createUi({ log, documents, reveal }: UiOptions): BoxlessUi & Disposable {
  const flashed = new DisposableSlot();
  const copied = new Emitter<void>();
  return {
    confirm: async (question) => (await askModally(question)) === question.act,
    progress: showProgress,
    async notify(severity, message, ...actions) {
      try {
        return await MESSAGES[severity](withoutLinks(message), ...actions);
      } catch (error) {
        log.error('A message could not be shown', error);
        return undefined;
      }
    },
    flash: (message) => flashed.set(vscode.window.setStatusBarMessage(withoutIcons(message), FLASH_MS)),
    async copy(text) {
      await vscode.env.clipboard.writeText(text);
      copied.fire();
    },
    onDidCopy: copied.event,
    openAddress,
    openSettings: async (settingId) => {
      await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${settingId}`);
    },
    saveFile: askAndSave,
    showDocument: documents.show,
    editText,
    revealSecrets: documents.revealActive,
    reveal,
    // Unlike `showCollapseAll`, a command of the extension's own can have a `when` clause (src/host/README.md, Trees).
    async collapseRows(view) {
      await vscode.commands.executeCommand(`workbench.actions.treeView.liveStreams.${view}.collapseAll`);
    },
    showLog: () => log.show(),
    dispose() {
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

/** An untitled file of this name, whose language VS Code takes from its extension. */
async function editText(fileName: string, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'untitled', path: fileName }));
  const editor = await vscode.window.showTextDocument(document);
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  await editor.edit((edit) => edit.replace(whole, text));
}

/** `vscode.open` keeps an address that is passed as a string; `env.openExternal` would encode its query again. */
async function openAddress(url: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', await externalAddress(url));
}

const SHOWN_AFTER_MS = 300;
/** VS Code keeps a progress notification for 800 ms, even if its task ends sooner. */
const GONE_AFTER_MS = 900;

type Task<T> = Parameters<typeof vscode.window.withProgress<T>>[1];

/**
 * Runs a task, and shows its progress in a notification that can cancel it, unless the task ends at once. Once shown,
 * the notification has to be gone before the outcome is returned: otherwise a message about the outcome would stand
 * beside it.
 */
export const showProgress: Ui['progress'] = async (title, task) => {
  const cancelling = new AbortController();
  const reports = new LatestReport();
  const running = task((message, percent) => reports.set({ message, percent }), cancelling.signal);
  if (await endsWithin(running, SHOWN_AFTER_MS)) return running;
  const options = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true };
  const gone = delay(GONE_AFTER_MS);
  const shown: Task<void> = async (progress, token) => {
    const subscription = token.onCancellationRequested(() => cancelling.abort());
    reports.sendTo(progress);
    await running.finally(() => subscription.dispose());
  };
  try {
    await vscode.window.withProgress(options, shown);
    return await running;
  } finally {
    await gone;
  }
};

async function endsWithin(running: Promise<unknown>, ms: number): Promise<boolean> {
  const ended = running.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, delay(ms, false)]);
}

interface Report {
  readonly message: string;
  /** In total, 0 to 100. undefined: the share is unknown. */
  readonly percent: number | undefined;
}

class LatestReport {
  #latest: Report | undefined;
  #progress: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  #percent = 0;

  set(report: Report): void {
    this.#latest = report;
    this.#send(report);
  }

  sendTo(progress: vscode.Progress<{ message?: string; increment?: number }>): void {
    this.#progress = progress;
    if (this.#latest !== undefined) this.#send(this.#latest);
  }

  /** VS Code expects the increment, not the total. */
  #send({ message, percent }: Report): void {
    if (this.#progress === undefined) return;
    const increment = percent === undefined ? 0 : Math.max(0, Math.min(percent, 100) - this.#percent);
    this.#percent += increment;
    this.#progress.report({ message: withoutLinks(message), ...(increment === 0 ? {} : { increment }) });
  }
}
