import type * as vscode from 'vscode';
import type { Secrets } from '../../services.ts';

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
