import * as vscode from 'vscode';
import type { Ui } from '../services.ts';
import { withoutLinks } from './plainText.ts';

/** Shows a task's progress in a notification that can be cancelled; what the task returns or throws is handed on. */
export const showProgress: Ui['progress'] = async (title, task) => {
  const options = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const cancelling = new AbortController();
    const subscription = token.onCancellationRequested(() => cancelling.abort());
    try {
      return await task(makeReport(progress), cancelling.signal);
    } finally {
      subscription.dispose();
    }
  });
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
