import type * as vscode from 'vscode';
import type { Secrets } from '../../services.ts';

/** The editor's secret storage. Its calls reject where a keyring does; what that means is for the caller to say. */
export function createSecrets(storage: vscode.SecretStorage): Secrets {
  return {
    get: async (key) => storage.get(key),
    store: async (key, value) => storage.store(key, value),
    delete: async (key) => storage.delete(key),
    keys: async () => storage.keys(),
    onDidChange: (listener) => storage.onDidChange(({ key }) => listener(key)),
  };
}
