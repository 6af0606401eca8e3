import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Ui } from '../services.ts';
import { withoutLinks } from './plainText.ts';

/** VS Code leaves the notification of a task there for 800 ms, even when the task is over before. */
const GONE_AFTER_MS = 900;

/**
 * Shows a task's progress in a notification that can be cancelled. What the task returns or throws is handed on once the
 * notification is gone: what is said of the outcome would stand beside it otherwise.
 */
export const showProgress: Ui['progress'] = async (title, task) => {
  const options = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true };
  const gone = delay(GONE_AFTER_MS);
  try {
    return await vscode.window.withProgress(options, async (progress, token) => {
      const cancelling = new AbortController();
      const subscription = token.onCancellationRequested(() => cancelling.abort());
      try {
        return await task(makeReport(progress), cancelling.signal);
      } finally {
        subscription.dispose();
      }
    });
  } finally {
    await gone;
  }
};

/** Ours tells how far it is, VS Code's how much was added. */
function makeReport(progress: vscode.Progress<{ message?: string; increment?: number }>) {
  let reached = 0;
  return (message: string, percent?: number): void => {
    const increment = percent === undefined ? 0 : Math.max(0, Math.min(percent, 100) - reached);
    reached += increment;
    progress.report({ message: withoutLinks(message), ...(increment === 0 ? {} : { increment }) });
  };
}
