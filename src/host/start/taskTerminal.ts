import * as vscode from 'vscode';

interface TaskOutput {
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
  readonly isTrusted: boolean;
}

/** A terminal that shows what a task writes, and ends with 0 if it succeeded, else with 1. `run` must not reject. */
export function openTaskTerminal(run: (output: TaskOutput) => Promise<boolean>): vscode.Pseudoterminal {
  const [written, closed] = [new vscode.EventEmitter<string>(), new vscode.EventEmitter<number>()];
  const ending = new AbortController();
  const write = (text: string) => written.fire(`${text.trimEnd().replaceAll('\n', '\r\n')}\r\n`);
  return {
    onDidWrite: written.event,
    onDidClose: closed.event,
    open() {
      const output = { write, signal: ending.signal, isTrusted: vscode.workspace.isTrusted };
      void run(output).then((hasSucceeded) => closed.fire(hasSucceeded ? 0 : 1));
    },
    close: () => ending.abort(),
  };
}
