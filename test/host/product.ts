import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { createClock } from '../../src/util/clock.ts';
import { type Disposable, DisposableStore } from '../../src/util/disposable.ts';
import { type DemoFace, type DemoOptions, type DemoService, startDemo } from '../support/demo/demoService.ts';
import { drawnText, type MadeView } from './drawnRows.ts';
import { eventually } from './eventually.ts';
import { findExtensionContext } from './insideProcess.ts';
import { replace } from './replace.ts';
import { type WatchedWindow, watchWindow } from './watchedWindow.ts';

export const EXTENSION_ID = 'live-streams.live-streams';
export const FACE: DemoFace = process.env.LIVE_STREAMS_FACE === 'strict' ? 'strict' : 'full';

/** A row as VS Code is given it. */
export interface HostRow {
  readonly node: unknown;
  readonly label: string;
  readonly description: string;
  readonly contextValue: string;
}

/** The extension as it was built, in the real editor, over a service of its own. */
export interface Product {
  readonly service: DemoService;
  readonly context: vscode.ExtensionContext;
  readonly window: WatchedWindow;
  /** The Streams view, as the extension made it. */
  readonly view: vscode.TreeView<unknown>;
  /** Runs one of the extension's commands, by its id without the prefix. */
  run(id: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Connects to the service under the name Production. Throws where that fails. */
  connect(): Promise<void>;
  /** Ends the extension and activates it again, as a reload of the window does. */
  restart(): Promise<void>;
  /** Asks the tree as VS Code does. */
  rows(of?: HostRow): Promise<readonly HostRow[]>;
  /** Everything that the views draw, as one text: all rows with their tooltips, labels for screen readers and commands. */
  drawn(): Promise<string>;
  /** Requests so far: 'GET /api/stream?streamsonly=1'. */
  requests(): readonly string[];
  /** Keys of all secrets that are stored. */
  secretKeys(): Promise<readonly string[]>;
  /** All that is kept beside the secrets, as one text. */
  state(): string;
  /** Lines of the extension's log since it was started last. */
  readonly log: string[];
}

interface ProductOptions {
  readonly demo?: Partial<DemoOptions>;
  /** Default: true. */
  readonly isConnected?: boolean;
  /** Settings of the person, by their key without the prefix. The service's own addresses are always there. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** When the test before is over: one that took too long goes on, and would be in the way of the next. */
let free: Promise<void> = Promise.resolve();

/** Runs a test with the extension started afresh: nothing stored, no message shown, its view hidden. */
export function withProduct(options: ProductOptions, test: (product: Product) => Promise<void>): () => Promise<void> {
  return async () => {
    const before = free;
    const { promise, resolve } = Promise.withResolvers<void>();
    free = promise;
    await before;
    await runWithProduct(options, test).finally(resolve);
  };
}

async function runWithProduct(options: ProductOptions, test: (product: Product) => Promise<void>): Promise<void> {
  const context = await theContext();
  const window = watchWindow();
  const mediaRoot = join(context.extensionPath, 'media/demo');
  const held = { clock: createClock(), mediaRoot, seed: 1, isLively: false, streamCount: 12, face: FACE };
  const service = await startDemo({ ...held, ...options.demo });
  const settings = { addresses: { [new URL(service.baseUrl).origin]: service.addresses }, ...options.settings };
  try {
    await write(settings);
    const product = compose(service, context, window);
    await clear(context);
    await product.restart();
    if (options.isConnected !== false) await product.connect();
    service.control.clearRequests();
    await test(product);
  } finally {
    window.dispose();
    service.dispose();
    await clear(context);
    await activateAgain(context, []);
    await write(Object.fromEntries(Object.keys(settings).map((key) => [key, undefined])));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
}

/** Looks at the view until it says this beside its title: what is there for those who look is made for the first look. */
export function untilDescribed(
  { rows, view }: Pick<Product, 'rows' | 'view'>,
  expected: string | RegExp,
): Promise<void> {
  return eventually(async () => {
    await rows();
    if (typeof expected === 'string') assert.equal(view.description ?? '', expected);
    else assert.match(view.description ?? '', expected);
  });
}

/** Looked for once: afterwards the process holds what earlier tests made as well. */
const found: { context?: Promise<vscode.ExtensionContext> } = {};

/** The context that VS Code gave the extension. */
export async function theContext(): Promise<vscode.ExtensionContext> {
  await vscode.extensions.getExtension(EXTENSION_ID)?.activate();
  found.context ??= findExtensionContext(EXTENSION_ID);
  keepLogOpen();
  return found.context;
}

/**
 * Each activation gets the one channel of its name. VS Code goes on to hand it out after it was closed, if that was
 * before the channel was ready, and a closed channel throws: the tests leave its end to that of the window.
 */
function keepLogOpen(): void {
  vscode.window.createOutputChannel('Live Streams', { log: true }).dispose = () => undefined;
}

function compose(service: DemoService, context: vscode.ExtensionContext, window: WatchedWindow): Product {
  const log: string[] = [];
  let made: readonly MadeView[] = [];
  const running = (): MadeView => made[0] ?? assert.fail('The extension made no view');
  const run: Product['run'] = async (id, ...args) => vscode.commands.executeCommand(`liveStreams.${id}`, ...args);
  return {
    ...{ service, context, window, run, log },
    get view() {
      return running().view;
    },
    async connect() {
      const { baseUrl, apiKey } = service;
      await run('addConnection', { name: 'Production', baseUrl, apiKey });
      assert.deepEqual(window.said, []);
      assert.equal((await context.secrets.keys()).length, 1);
      window.flashes.length = 0;
    },
    async restart() {
      log.length = 0;
      made = await activateAgain(context, log);
    },
    async rows(of) {
      const { provider } = running();
      const first = (await provider.getChildren(of?.node)) ?? [];
      // The root has none but "Loading…" once after a switch, and is drawn again: VS Code asks a second time then.
      const isDue = of === undefined && first.every((node) => Reflect.get(Object(node), 'notice') === 'loading');
      const nodes = isDue ? ((await provider.getChildren()) ?? []) : first;
      return Promise.all(nodes.map(async (node) => rowOf(node, await provider.getTreeItem(node))));
    },
    drawn: async () => (await Promise.all(made.map(drawnText))).join('\n'),
    requests: () =>
      service.control.requests.map(({ method, path, query }) => `${method} ${path}${query === '' ? '' : `?${query}`}`),
    secretKeys: async () => context.secrets.keys(),
    state: () => JSON.stringify([context.globalState, context.workspaceState].map(entriesOf)),
  };
}

/** The Streams view comes first. */
async function activateAgain(context: vscode.ExtensionContext, log: string[]): Promise<readonly MadeView[]> {
  await vscode.commands.executeCommand('workbench.view.explorer');
  stop(context);
  const main: string = context.extension.packageJSON.main;
  const built = pathToFileURL(join(context.extensionPath, main)).href;
  const { activate }: typeof import('../../src/extension.ts') = await import(built);
  const views: MadeView[] = [];
  const watching = new DisposableStore();
  watching.add(watchViews(views));
  watching.add(watchLog(log));
  try {
    activate(context);
  } finally {
    watching.dispose();
  }
  assert.equal(views.length, 3, 'views');
  return views;
}

function watchViews(views: MadeView[]): Disposable {
  const { createTreeView } = vscode.window;
  return replace(vscode.window, 'createTreeView', (id: string, options: vscode.TreeViewOptions<unknown>) => {
    const view = createTreeView(id, options);
    const made = { view, provider: options.treeDataProvider };
    if (id === 'liveStreams.streams') views.unshift(made);
    else views.push(made);
    return view;
  });
}

/** The log goes to a file that VS Code writes when it likes. */
function watchLog(lines: string[]): Disposable {
  const { createOutputChannel } = vscode.window;
  return replace(vscode.window, 'createOutputChannel', (name: string, options: { readonly log: true }) => {
    const channel = createOutputChannel(name, options);
    const write = (level: 'debug' | 'info' | 'warn' | 'error') => (text: string) => {
      lines.push(`${level}: ${text}`);
      channel[level](text);
    };
    const levels = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
    return { ...levels, show: () => channel.show(), dispose: () => channel.dispose() };
  });
}

function stop({ subscriptions }: vscode.ExtensionContext): void {
  for (const subscription of subscriptions.splice(0).reverse()) subscription.dispose();
}

async function clear(context: vscode.ExtensionContext): Promise<void> {
  stop(context);
  for (const state of [context.globalState, context.workspaceState]) {
    for (const key of state.keys()) await state.update(key, undefined);
  }
  for (const key of await context.secrets.keys()) await context.secrets.delete(key);
  await eventually(async () => assert.deepEqual(await context.secrets.keys(), []));
}

async function write(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const section = vscode.workspace.getConfiguration('liveStreams');
  for (const [key, value] of Object.entries(settings)) {
    await section.update(key, value, vscode.ConfigurationTarget.Global);
  }
}

function rowOf(node: unknown, item: vscode.TreeItem): HostRow {
  const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
  return { node, label, description: String(item.description ?? ''), contextValue: item.contextValue ?? '' };
}

function entriesOf(memento: vscode.Memento): readonly [string, unknown][] {
  return memento.keys().map((key) => [key, memento.get<unknown>(key)]);
}
