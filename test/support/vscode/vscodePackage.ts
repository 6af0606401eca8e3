import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireProcess } from '../process/ownProcess.ts';
import { inProject } from '../projectFolder.ts';
import { installOnce, unpackPackage } from './installOnce.ts';

/** The editor that the tests run in by default, or the oldest one that the manifest allows. */
export type EditorName = 'current' | 'oldest';

interface EditorPackage {
  /** Of the npm package `code-server`. */
  readonly codeServer: string;
  /** Of the VS Code that it holds. */
  readonly vscode: string;
  /** What its settings call the theme Dark Modern. */
  readonly darkTheme: string;
  /** The Node that it runs on. undefined: the one that runs this. */
  readonly node: string | undefined;
  /** Prepares its folder for `npm install`. */
  readonly prepare?: (vscode: string) => Promise<void>;
  readonly finish?: (vscode: string) => Promise<void>;
}

const editors: Readonly<Record<EditorName, EditorPackage>> = {
  current: { codeServer: '4.139.1', vscode: '1.139.1', darkTheme: 'Dark Modern', node: undefined },
  // Its extension host hangs on Node 24.
  oldest: {
    codeServer: '4.105.1',
    vscode: '1.105.1',
    darkTheme: 'Default Dark Modern',
    node: '22.23.3',
    prepare: takeWatcherFromRegistry,
    finish: replaceWatchdog,
  },
};

/** LIVE_STREAMS_EDITOR of the environment: 'current' unless it is set. */
export function chosenEditor(): EditorName {
  const name = process.env.LIVE_STREAMS_EDITOR ?? 'current';
  if (!Object.hasOwn(editors, name)) throw new Error(`There is no editor ${name}: ${Object.keys(editors).join(', ')}`);
  return name as EditorName;
}

/** The version of the VS Code that tests run in: '1.139.1'. */
export function vscodeVersion(editor = chosenEditor()): string {
  return editors[editor].vscode;
}

export interface InstalledEditor {
  readonly darkTheme: string;
  /** Absolute path of its server-main.js. */
  readonly serverMain: string;
  /** Absolute path of the Node that runs it. */
  readonly node: string;
}

/**
 * Installs the VS Code (server and web workbench) that the npm package `code-server` holds in lib/vscode, with the
 * dependencies its own npm-shrinkwrap.json pins and without running their install scripts: of the native modules the logger
 * alone is missed.
 */
export function installVscode(editor: EditorName): Promise<InstalledEditor> {
  const underWay = installed.get(editor) ?? install(editor);
  installed.set(editor, underWay);
  return underWay;
}

/** By this process: two runs at once, or one after the other, have one installation. */
const installed = new Map<EditorName, Promise<InstalledEditor>>();

async function install(editor: EditorName): Promise<InstalledEditor> {
  const { codeServer, darkTheme, node, prepare, finish } = editors[editor];
  const folder = await installOnce(`vscode-server-${codeServer}`, async (partial) => {
    await unpackPackage(`code-server@${codeServer}`, partial, ['package/lib/vscode']);
    const vscode = join(partial, 'vscode');
    await rename(join(partial, 'package/lib/vscode'), vscode);
    await rm(join(partial, 'package'), { recursive: true });
    await prepare?.(vscode);
    const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    await requireProcess('npm', [...args, '--prefix', vscode], { cwd: vscode });
    await finish?.(vscode);
  });
  const root = join(folder, 'vscode');
  await giveLogger(root);
  return {
    darkTheme,
    serverMain: join(root, 'out/server-main.js'),
    node: node === undefined ? process.execPath : await installNode(node),
  };
}

async function installNode(version: string): Promise<string> {
  const folder = await installOnce(`node-${version}`, (partial) =>
    unpackPackage(`node-${process.platform}-${process.arch}@${version}`, partial, ['package/bin/node']),
  );
  return join(folder, 'package/bin/node');
}

interface NpmManifest {
  dependencies: Record<string, string>;
}
interface Shrinkwrap {
  packages: Record<string, Partial<NpmManifest> & { resolved?: string; integrity?: string }>;
}

/** Its watcher is pinned to a commit at GitHub, which may be out of reach and has to be compiled. */
async function takeWatcherFromRegistry(vscode: string): Promise<void> {
  const name = '@parcel/watcher';
  const version = '2.5.1';
  await editJson(join(vscode, 'package.json'), (manifest: NpmManifest) => {
    manifest.dependencies[name] = version;
  });
  await editJson(join(vscode, 'npm-shrinkwrap.json'), ({ packages }: Shrinkwrap) => {
    const top = packages['']?.dependencies;
    if (top?.[name] === undefined || packages[`node_modules/${name}`] === undefined) {
      throw new Error(`${name} is not among the dependencies of VS Code`);
    }
    top[name] = version;
    delete packages[`node_modules/${name}`];
  });
}

/** A native module that ends the extension host with its parent. Ours ends with the group of processes that it is in. */
async function replaceWatchdog(vscode: string): Promise<void> {
  const folder = join(vscode, 'node_modules/native-watchdog');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'native-watchdog', main: 'index.js' }));
  await writeFile(join(folder, 'index.js'), 'exports.start = () => {};\n');
}

async function editJson<T>(file: string, edit: (content: T) => void): Promise<void> {
  const content: T = JSON.parse(await readFile(file, 'utf8'));
  edit(content);
  await writeFile(file, JSON.stringify(content, undefined, 2));
}

/** Puts our logger in the place of the native one. Others may do the same at this moment. */
async function giveLogger(vscode: string): Promise<void> {
  const ours = inProject('test/support/vscode/spdlog.cjs');
  const theirs = join(vscode, 'node_modules/@vscode/spdlog/index.js');
  if ((await readFile(ours)).equals(await readFile(theirs))) return;
  const partial = `${theirs}.${process.pid}`;
  await copyFile(ours, partial);
  await rename(partial, theirs);
}
