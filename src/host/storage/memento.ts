import type * as vscode from 'vscode';
import type { Memento } from '../../services.ts';

export function createMemento(storage: vscode.Memento): Memento {
  return {
    get: (key) => storage.get<unknown>(key),
    keys: () => storage.keys(),
    set: async (key, value) => storage.update(key, value),
  };
}
