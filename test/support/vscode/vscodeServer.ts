import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OwnProcess, startProcess } from '../process/ownProcess.ts';
import { makeTemporaryFolder } from '../process/temporaryFolder.ts';
import { readHostErrors } from '../runner/hostErrors.ts';
import { copyInstalledExtensions } from './installedExtensions.ts';
import { chosenEditor, type EditorName, type InstalledEditor, installVscode } from './vscodePackage.ts';

type Settings = Readonly<Record<string, unknown>>;

export interface VscodeServerOptions {
  /** Default: the one that the environment chooses. */
  readonly editor?: EditorName | undefined;
  /** The user's settings, over those that keep the workbench quiet. */
  readonly settings?: Settings;
  /** Absolute paths of the .vsix files to install. */
  readonly extensions?: readonly string[];
  /** Added to the environment of the server, and so of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The display language, 'de'. Extensions are in it, and dates; the editor's own texts stay English, for its language
   * packs are not in the npm registry. Default: English.
   */
  readonly language?: string;
  /** Lets addresses name an extension in development and its tests. VS Code then shows no toasts. Default: false. */
  readonly withTestDriver?: boolean;
  /** Asks for workspace trust as VS Code does by itself, so that folders open in Restricted Mode. Default: false. */
  readonly withWorkspaceTrust?: boolean;
}

interface PageOptions {
  /** Absolute path of the folder to open. */
  readonly folder: string;
  /** An unpacked extension to load besides the installed ones: one at most, and only withTestDriver. */
  readonly extensionDevelopmentPath?: string;
  /** A module that exports `run(): Promise<void>`, run inside the extension host. Only withTestDriver. */
  readonly extensionTestsPath?: string;
}

export interface VscodeServer {
  /** 127.0.0.1:PORT */
  readonly authority: string;
  /** The address that opens the workbench. */
  address(options: PageOptions): string;
  /** Writes the user's settings anew, over the quiet ones; an open workbench follows within a second or two. */
  writeSettings(settings: Settings): Promise<void>;
  /** The ends of the extension's own log and those of the extension hosts so far, each under its name. */
  extensionHostLogs(): Promise<string>;
  /** What nobody handled in the extension hosts so far, by their own logs. */
  extensionHostErrors(): Promise<readonly string[]>;
  /** Where the installed extensions are unpacked. */
  readonly extensionsFolder: string;
  readonly process: OwnProcess;
  /** Ends it, and removes its data. */
  close(): Promise<void>;
}

const LOG_LINES_AT_MOST = 60;
const OF_EXTENSION_HOSTS = /exthost\d+\/(remoteexthost|live-streams\.live-streams\/.+)\.log$/;

/** Starts the npm-hosted VS Code on a free port of 127.0.0.1, with data of its own. */
export async function startVscodeServer(options: VscodeServerOptions = {}): Promise<VscodeServer> {
  const installed = await installVscode(options.editor ?? chosenEditor());
  const dataDir = makeTemporaryFolder('server');
  try {
    return await launch(installed, dataDir, options);
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

async function launch(
  installed: InstalledEditor,
  dataDir: string,
  options: VscodeServerOptions,
): Promise<VscodeServer> {
  const { serverMain, node, darkTheme } = installed;
  const write = (settings: Settings) => writeSettings(dataDir, { 'workbench.colorTheme': darkTheme, ...settings });
  await write(options.settings ?? {});
  if (options.language !== undefined) await writeLanguagePack(dataDir, options.language);
  const env = { ...process.env, ...options.env };
  const base = [serverMain, '--server-data-dir', dataDir, '--accept-server-license-terms', '--telemetry-level', 'off'];
  const { extensions = [] } = options;
  if (extensions.length > 0) await copyInstalledExtensions(installed, extensions, join(dataDir, 'extensions'));
  const listen = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--force-disable-user-env'];
  // Between processes of one machine, it costs a second of computing for each window.
  const plain = ['--disable-websocket-compression'];
  const trust = options.withWorkspaceTrust ? [] : ['--disable-workspace-trust'];
  const driver = options.withTestDriver ? ['--enable-smoke-test-driver'] : [];
  const locale = options.language === undefined ? [] : ['--locale', options.language];
  const server = startProcess(node, [...base, ...listen, ...plain, ...trust, ...driver, ...locale], { env });
  const authority = `127.0.0.1:${await listeningPort(server)}`;
  return {
    authority,
    extensionsFolder: join(dataDir, 'extensions'),
    process: server,
    address: (page) => workbenchAddress(authority, page),
    writeSettings: write,
    extensionHostLogs: () => readExtensionHostLogs(dataDir),
    extensionHostErrors: () => readHostErrors(join(dataDir, 'data/logs')),
    async close() {
      await server.kill();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What would otherwise cover the workbench, or change between runs. */
export const quietSettings: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'window.commandCenter': false,
  'extensions.ignoreRecommendations': true,
  // With motion, boxes slide for 250 ms, in which a click may land on the row beside, and a step of a walkthrough takes the
  // focus as late, from whatever was opened meanwhile.
  'workbench.reduceMotion': 'on',
  'git.enabled': false,
  // With the focus, the Explorer reveals the file that is shown. It throws a TreeError if that was just deleted.
  'explorer.autoReveal': false,
  // Lists the open files of all processes every few seconds.
  'remote.autoForwardPorts': false,
};

/** This build keeps the user's files with the server, not in the browser. */
async function writeSettings(dataDir: string, settings: Settings): Promise<void> {
  await mkdir(join(dataDir, 'data/User'), { recursive: true });
  await writeFile(
    join(dataDir, 'data/User/settings.json'),
    JSON.stringify({ ...quietSettings, ...settings }, undefined, 2),
  );
}

/** What installing a language pack leaves there: without an entry here the language stays English. Its own file has no texts. */
async function writeLanguagePack(dataDir: string, language: string): Promise<void> {
  const texts = join(dataDir, 'data/languagePack.json');
  await writeFile(texts, JSON.stringify({ version: '1.0.0', contents: {} }));
  const by = { extensionIdentifier: { id: 'tests.language-pack' }, version: '1.0.0' };
  const pack = { hash: 'tests', label: language, extensions: [by], translations: { vscode: texts } };
  await writeFile(join(dataDir, 'data/languagepacks.json'), JSON.stringify({ [language]: pack }));
}

async function listeningPort(server: OwnProcess): Promise<string> {
  const deadline = Date.now() + 60_000;
  const exited = server.exited.then((code) => `it ended with ${code}`);
  let trouble: string | undefined;
  while (trouble === undefined) {
    const port = /Extension host agent listening on (\d+)/.exec(server.output())?.[1];
    if (port !== undefined) return port;
    trouble = Date.now() > deadline ? 'it did not say its port' : await Promise.race([exited, pause(50)]);
  }
  await server.kill();
  throw new Error(`The VS Code server did not start: ${trouble}\n${server.output()}`);
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}

function workbenchAddress(authority: string, page: PageOptions): string {
  const remote = (path: string) => `vscode-remote://${authority}${path}`;
  const payload: [string, string][] = [];
  if (page.extensionDevelopmentPath !== undefined) {
    payload.push(['extensionDevelopmentPath', remote(page.extensionDevelopmentPath)]);
  }
  if (page.extensionTestsPath !== undefined) payload.push(['extensionTestsPath', remote(page.extensionTestsPath)]);
  const query = new URLSearchParams({ folder: page.folder });
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://${authority}/?${query}`;
}

/** Of the extension's output channel and of the extension hosts; the newest lines of each. */
async function readExtensionHostLogs(dataDir: string): Promise<string> {
  const logs = join(dataDir, 'data/logs');
  const files = (await readdir(logs, { recursive: true })).filter((name) => OF_EXTENSION_HOSTS.test(name)).sort();
  const texts = files.map(async (name) => `== ${name}\n${lastLines(await readFile(join(logs, name), 'utf8'))}`);
  return (await Promise.all(texts)).join('\n');
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-LOG_LINES_AT_MOST).join('\n');
}
