import type * as vscode from 'vscode';
import type { Memento } from '../../services.ts';

/** The editor's key-value storage: `context.globalState` or `context.workspaceState`. */
export function createMemento(storage: vscode.Memento): Memento {
  return {
    get: (key) => storage.get<unknown>(key),
    keys: () => storage.keys(),
    set: async (key, value) => storage.update(key, value),
  };
}
