import { copyFile, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installOnce, unpackPackage } from './installOnce.ts';
import { requireProcess } from './ownProcess.ts';
import { inProject } from './projectFolder.ts';

const VERSION = '4.139.1';

/** Of the VS Code that it holds. */
export const vscodeVersion = '1.139.1';

/**
 * Installs the VS Code (server and web workbench) that the npm package `code-server` holds in lib/vscode, with the
 * dependencies its own npm-shrinkwrap.json pins and without running their install scripts: of the native modules the logger
 * alone is missed.
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
  const installed = join(folder, 'vscode');
  await giveLogger(installed);
  return join(installed, 'out/server-main.js');
}

/** Puts our logger in the place of the native one. Others may do the same at this moment. */
async function giveLogger(vscode: string): Promise<void> {
  const ours = inProject('test/support/spdlog.cjs');
  const theirs = join(vscode, 'node_modules/@vscode/spdlog/index.js');
  if ((await readFile(ours)).equals(await readFile(theirs))) return;
  const partial = `${theirs}.${process.pid}`;
  await copyFile(ours, partial);
  await rename(partial, theirs);
}
