import type * as vscode from 'vscode';
import type { Memento, Secrets } from '../../services.ts';

export function createMemento(storage: vscode.Memento): Memento {
  return {
    get: (key) => storage.get<unknown>(key),
    keys: () => storage.keys(),
    set: async (key, value) => storage.update(key, value),
  };
}

/** VS Code's secret storage. Its calls reject if the keyring fails; the caller handles that. */
export function createSecrets(storage: vscode.SecretStorage): Secrets {
  return {
    get: async (key) => storage.get(key),
    store: async (key, value) => storage.store(key, value),
    delete: async (key) => storage.delete(key),
    keys: async () => storage.keys(),
    onDidChange: (listener) => storage.onDidChange(({ key }) => listener(key)),
  };
}
