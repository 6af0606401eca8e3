import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { workingView, workText } from '../../commands/shownWork.ts';
import type { CommandId } from '../../commands/table.ts';
import { EXTENSION_ID } from '../../model/links.ts';
import type { Clock, Ui } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import { withoutLinks } from '../../util/markup.ts';

const SHOWN_AFTER_MS = 300;
/** The view may be hidden, or its progress bar overlooked. */
const IN_STATUS_BAR_AFTER_MS = 1000;
/** VS Code keeps a progress notification for 800 ms, even if its task ends sooner. */
const GONE_AFTER_MS = 900;

type Task<T> = Parameters<typeof vscode.window.withProgress<T>>[1];

/**
 * Runs a task and shows its progress in a notification that can cancel it, unless the task ends immediately. Once shown,
 * the notification has to be gone before the outcome is returned: otherwise a message about the outcome would appear
 * next to it.
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

/**
 * Shows that a command is working until it's disposed, in its view if it has one, and later in the Status Bar. Shows
 * nothing if it's disposed soon.
 */
export function showWork(clock: Clock, command: CommandId): Disposable {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timers = new DisposableStore();
  const showAfter = (ms: number, options: () => vscode.ProgressOptions): void => {
    timers.add(clock.setTimeout(() => void vscode.window.withProgress(options(), () => promise), ms));
  };
  const view = workingView(command);
  if (view !== undefined) showAfter(SHOWN_AFTER_MS, () => ({ location: { viewId: `liveStreams.${view}` } }));
  showAfter(IN_STATUS_BAR_AFTER_MS, () => ({
    location: vscode.ProgressLocation.Window,
    title: workText(command, commandTitle(command)),
  }));
  return {
    dispose() {
      timers.dispose();
      resolve();
    },
  };
}

interface Manifest {
  /** A translated title contains its original. */
  readonly contributes: { readonly commands: readonly { command: string; title: string | { value: string } }[] };
}

export function commandTitle(command: CommandId): string {
  const manifest: Manifest | undefined = vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON;
  const title = manifest?.contributes.commands.find((each) => each.command === `liveStreams.${command}`)?.title;
  return ((typeof title === 'string' ? title : title?.value) ?? command).replace(/…$/, '');
}

async function endsWithin(running: Promise<unknown>, ms: number): Promise<boolean> {
  const ended = running.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, delay(ms, false)]);
}

interface Report {
  readonly message: string;
  /** In total, 0 to 100; undefined if unknown. */
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
