import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../util/disposable.ts';

/**
 * The only registration of commands: each id of the table, with the prefix. `run` is the error boundary; what the handler
 * returns is handed on to whoever executed the command.
 */
export function registerCommands<Handler>(
  table: Readonly<Record<string, Handler>>,
  run: (id: string, handler: Handler, args: readonly unknown[]) => Promise<unknown>,
): Disposable {
  const owned = new DisposableStore();
  for (const [id, handler] of Object.entries(table)) {
    const execute = (...args: readonly unknown[]): Promise<unknown> => run(id, handler, args);
    owned.add(vscode.commands.registerCommand(`liveStreams.${id}`, execute));
  }
  return owned;
}
