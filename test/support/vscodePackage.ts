import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installOnce, unpackPackage } from './installOnce.ts';
import { requireProcess } from './ownProcess.ts';

const VERSION = '4.139.1';

/** Of the VS Code that it holds. */
export const vscodeVersion = '1.139.1';

/**
 * Installs the VS Code (server and web workbench) that the npm package `code-server` holds in lib/vscode, with the
 * dependencies its own npm-shrinkwrap.json pins and without running their install scripts: no native module is needed.
 * @returns the path of its server-main.js.
 */
export async function installVscode(): Promise<string> {
  const folder = await installOnce(`vscode-server-${VERSION}`, async (partial) => {
    await unpackPackage(`code-server@${VERSION}`, partial, ['package/lib/vscode']);
    const vscode = join(partial, 'vscode');
    await rename(join(partial, 'package/lib/vscode'), vscode);
    await rm(join(partial, 'package'), { recursive: true });
    const install = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    await requireProcess('npm', [...install, '--prefix', vscode], { cwd: vscode });
  });
  return join(folder, 'vscode/out/server-main.js');
}
