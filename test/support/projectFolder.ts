import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** An absolute path below the project's own folder. */
export function inProject(...parts: readonly string[]): string {
  return join(root, ...parts);
}

/** An absolute path below `.vscode-test`, where everything is kept that tests download or write. */
export function inTestFolder(...parts: readonly string[]): string {
  return inProject('.vscode-test', ...parts);
}
