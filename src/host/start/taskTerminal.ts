import * as vscode from 'vscode';
import type { TaskTerminal } from '../../commands/runTask.ts';

/** Must not reject. The definition's variables are resolved. */
type Run = (definition: vscode.TaskDefinition, output: TaskTerminal) => Promise<boolean>;

/** Returns the task with a terminal that shows what `run` writes. Ends with 0 if that succeeds, otherwise with 1. */
export function withTerminal(task: vscode.Task, run: Run): vscode.Task {
  const { definition, scope = vscode.TaskScope.Workspace, name, source } = task;
  const execution = new vscode.CustomExecution(async (resolved) => openTerminal((output) => run(resolved, output)));
  if (definition.task !== 'listen') return new vscode.Task(definition, scope, name, source, execution);
  const listening = new vscode.Task(definition, scope, name, source, execution, LISTEN_MATCHER);
  listening.isBackground = true;
  return listening;
}

/** Tells VS Code when a preLaunchTask is ready. tasks.json may name another one. */
const LISTEN_MATCHER = '$liveStreams-listen';

function openTerminal(run: (output: TaskTerminal) => Promise<boolean>): vscode.Pseudoterminal {
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
