import * as vscode from 'vscode';
import { type Disposable, DisposableStore, onDispose } from '../../src/util/disposable.ts';
import { overhearWindow } from './overheard.ts';
import { replace } from './replace.ts';

export interface Message {
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly actions: readonly string[];
}

/** What a person would have seen and been sent to. Messages are answered with `presses`, else dismissed. */
export interface WatchedWindow extends Disposable {
  readonly said: Message[];
  readonly questions: string[];
  /** What stands below a question. */
  readonly details: string[];
  /** What went to progress, the status bar and webviews, one entry a call. */
  readonly heard: string[];
  readonly flashes: string[];
  /** Addresses that VS Code was to open. */
  readonly opened: string[];
  /** Buttons to press, in their order, each on the next message that has it. */
  readonly presses: string[];
  /** Which of a message's buttons is pressed. Default: by `presses`. */
  choose: (actions: readonly string[]) => string | undefined;
  /** Context keys as they were set last. */
  readonly contexts: ReadonlyMap<string, unknown>;
  /** Everything that is read, as one text, to look for secrets in. */
  readable(): string;
}

/**
 * Stands in for the parts of the window that nobody can look at from inside it: under a test driver VS Code shows no
 * messages, and an address that it opens goes to the browser. The API object is the extension's own.
 */
export function watchWindow(): WatchedWindow {
  const owned = new DisposableStore();
  const said: Message[] = [];
  const questions: string[] = [];
  const details: string[] = [];
  const heard: string[] = [];
  const flashes: string[] = [];
  const opened: string[] = [];
  const presses: string[] = [];
  const answer =
    (severity: Message['severity']) =>
    async (text: string, ...rest: readonly unknown[]) => {
      const actions = rest.filter((each) => typeof each === 'string');
      const [options] = rest;
      if (typeof options === 'object') questions.push(text);
      else said.push({ severity, text, actions });
      details.push(...detailOf(options));
      return watched.choose(actions);
    };
  owned.add(replace(vscode.window, 'showInformationMessage', answer('info')));
  owned.add(replace(vscode.window, 'showWarningMessage', answer('warning')));
  owned.add(replace(vscode.window, 'showErrorMessage', answer('error')));
  owned.add(overhearWindow(heard));
  const flash = (text: string) => {
    flashes.push(text);
    return onDispose(() => {});
  };
  owned.add(replace(vscode.window, 'setStatusBarMessage', flash));
  const { executeCommand } = vscode.commands;
  const contexts = new Map<string, unknown>();
  const execute = async (command: string, ...args: readonly unknown[]) => {
    if (command === 'setContext') contexts.set(String(args[0]), args[1]);
    if (command !== 'vscode.open') return executeCommand(command, ...args);
    opened.push(String(args[0]));
    return undefined;
  };
  owned.add(replace(vscode.commands, 'executeCommand', execute));
  const watched: WatchedWindow = {
    ...{ said, questions, details, heard, flashes, opened, presses, contexts },
    choose: (actions) => (actions.includes(presses[0] ?? '') ? presses.shift() : undefined),
    readable: () => JSON.stringify([said, questions, details, flashes, heard]),
    dispose: () => owned.dispose(),
  };
  return watched;
}

function detailOf(options: unknown): readonly string[] {
  return typeof options === 'object' && options !== null && 'detail' in options ? [String(options.detail)] : [];
}
