import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { requireProcess } from '../support/process/ownProcess.ts';
import { inProject, inTestFolder } from '../support/projectFolder.ts';

const PUBLISHER = 'live-streams';

/** An extension of which nothing is loaded but that it is there. */
export const emptyExtension = extensionId('bench-empty');
/** The smallest extension with a tree view. */
export const treeExtension = extensionId('bench-tree');
export const driverExtension = extensionId('bench-driver');

/** Packages an extension whose main is empty. @returns the .vsix. */
export function packageEmpty(): Promise<string> {
  return packageExtension('bench-empty', {}, { 'main.js': '' });
}

/** Packages a tree view in a dozen lines. @returns the .vsix. */
export function packageTree(): Promise<string> {
  const view = { id: 'liveStreamsBench.tree', name: 'Tree' };
  return packageExtension('bench-tree', { contributes: { views: { liveStreams: [view] } } }, { 'main.js': TREE });
}

/** Packages the extension that the benchmarks drive VS Code with. @returns the .vsix. */
export async function packageDriver(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [inProject('test/bench/driver/driver.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    write: false,
  });
  const view = { id: 'liveStreamsBench.rows', name: 'Reference', when: 'liveStreamsBench.showsRows' };
  // Before all others: what runs after it is measured.
  const manifest = { activationEvents: ['*'], contributes: { views: { liveStreams: [view] } } };
  return packageExtension('bench-driver', manifest, { 'main.js': outputFiles[0]?.text ?? '' });
}

const TREE = `const vscode = require('vscode');
exports.activate = (context) => {
  const rows = Array.from({ length: 10 }, (_, index) => 'Row ' + index);
  const treeDataProvider = {
    getChildren: (row) => (row === undefined ? rows : []),
    getTreeItem: (row) => new vscode.TreeItem(row),
  };
  context.subscriptions.push(
    vscode.window.createTreeView('liveStreamsBench.tree', { treeDataProvider }),
    vscode.commands.registerCommand('liveStreamsBench.refresh', () => {}),
  );
};
`;

function extensionId(name: string): string {
  return `${PUBLISHER}.${name}`;
}

async function packageExtension(
  name: string,
  manifest: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = inTestFolder('bench', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const about = { name, publisher: PUBLISHER, version: '0.0.1', license: 'MIT', engines: { vscode: '^1.105.0' } };
  // Nothing starts it by itself, unless the manifest says so.
  const activationEvents = ['onCommand:liveStreamsBench.none'];
  const whole = { ...about, main: './main.js', activationEvents, ...manifest };
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(whole), ...files })) {
    writeFileSync(join(folder, file), text);
  }
  const out = `${folder}.vsix`;
  const vsce = [inProject('node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', '--out', out];
  const lenient = ['--allow-missing-repository', '--skip-license'];
  await requireProcess(process.execPath, [...vsce, ...lenient], { cwd: folder });
  return out;
}
