import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';

const PREFIX = 'liveStreams.';

export function readCommandIds(manifest: {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}): readonly string[] {
  return manifest.contributes.commands.map(({ command }) => command.slice(PREFIX.length));
}

/**
 * Registers commands by their ids without the prefix. `run` contains the handlers and is the error boundary. The caller
 * of a command gets the handler's result.
 */
export function registerCommands(
  ids: readonly string[],
  run: (id: string, args: readonly unknown[]) => Promise<unknown>,
): Disposable {
  const owned = new DisposableStore();
  for (const id of ids) {
    const execute = (...args: readonly unknown[]): Promise<unknown> => run(id, args);
    owned.add(vscode.commands.registerCommand(PREFIX + id, execute));
  }
  return owned;
}
