import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { fieldsOf } from '../support/fieldsOf.ts';
import { Built } from '../support/rules/bundle.ts';
import { eventually } from './eventually.ts';
import { loadedScripts } from './insideProcess.ts';
import { EXTENSION_ID, type Product, withProduct } from './product.ts';

const FIRST_PAINT = `GET /api/stream?streamsonly=1&filters=${encodeURIComponent('[{"id":"isActive","value":true}]')}`;
/** What is loaded later, by a source of each that is in one file with most of it. */
const LATER = {
  looking: 'src/host/start/viewsRuntime.ts',
  acting: 'src/host/start/commandsRuntime.ts',
  panels: 'src/host/panels/editorPanels.ts',
  demo: 'src/demo/demoServer.ts',
  undici: 'src/api/transport/undici.ts',
};

/** Which of them this process has loaded, from the extension's own folder. */
async function loadedLater({ context }: Product): Promise<readonly string[]> {
  const dist = join(context.extensionPath, 'dist');
  const names = (await loadedScripts(dist)).map((path) => basename(path));
  const built = new Built(dist);
  for (const { name } of built.loadedWith('extension.js')) assert.ok(names.includes(name), `${name} was not found`);
  return Object.entries(LATER)
    .filter(([, module]) => names.includes(built.fileOf(module).name))
    .map(([part]) => part);
}

/** What undici would set when it is loaded the usual way, and the editor's fetch. */
function globals(): readonly (PropertyDescriptor | undefined)[] {
  const symbols = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
  return [...symbols, 'fetch'].map((key) => Object.getOwnPropertyDescriptor(globalThis, key));
}

function assertSame(before: ReturnType<typeof globals>): void {
  for (const [index, now] of globals().entries()) {
    const then = before[index];
    assert.equal(now?.value, then?.value);
    assert.equal(now?.get, then?.get);
    assert.equal(now === undefined, then === undefined);
  }
}

/** A connection as an earlier window stored it. */
async function storeConnection({ context, service: { baseUrl, apiKey } }: Product): Promise<void> {
  const secret = { name: 'Stored', baseUrl, apiKey, insecureAccepted: false };
  await context.secrets.store('connection/stored', JSON.stringify(secret));
}

describe('The extension in a real extension host', () => {
  const before = globals();

  it('is known to VS Code and activates', async () => {
    const extension = vscode.extensions.getExtension(EXTENSION_ID);
    assert.ok(extension, 'VS Code does not know the extension');
    await extension.activate();
    assert.equal(extension.isActive, true);
    const exported = ['getStream', 'listLiveStreams', 'onDidChangeLiveStreams', 'version'];
    assert.deepEqual(Object.keys(extension.exports).sort(), exported);
  });

  it('runs against one of the two faces of the demo service', () => {
    assert.match(process.env.LIVE_STREAMS_FACE ?? '', /^(full|strict)$/);
  });

  it(
    'loads no more than its start needs, asks and draws once its view is seen, and has the commands when one is run',
    withProduct({ isConnected: false }, async (product) => {
      assert.deepEqual(await loadedLater(product), [], 'loaded before: run this suite first');
      await storeConnection(product);
      await product.restart();
      await eventually(() => assert.equal(product.window.contexts.get('liveStreams.state'), 'loaded'));
      await wait(500);
      assert.deepEqual(product.requests(), []);
      assert.deepEqual(await loadedLater(product), []);
      assertSame(before);

      await vscode.commands.executeCommand('liveStreams.streams.focus');
      await eventually(() => assert.notEqual(product.requests().length, 0));
      assert.ok(product.requests()[0]?.startsWith(FIRST_PAINT), product.requests()[0]);
      const [first] = product.service.control.requests;
      assert.equal(first?.headers.authorization, `Bearer ${product.service.apiKey}`);
      assert.equal(product.view.description, 'Stored');
      assert.deepEqual(await loadedLater(product), ['looking', 'undici']);
      assertSame(before);

      await product.run('refresh');
      assert.deepEqual(await loadedLater(product), ['looking', 'acting', 'undici']);
    }),
  );

  it(
    'has the commands it declares, and each is registered once',
    withProduct({ isConnected: false }, async ({ context }) => {
      const { commands, views } = context.extension.packageJSON.contributes;
      const declared: readonly { readonly command: string }[] = commands;
      const ids = declared.map(({ command }) => command).sort();
      // VS Code makes some for every view: VIEW.focus and others.
      const ofViews = Object.values<readonly { readonly id: string }[]>(views).flatMap((each) => fieldsOf(each, 'id'));
      const all = await vscode.commands.getCommands(true);
      const ours = all.filter(
        (id) => id.startsWith('liveStreams.') && !ofViews.some((view) => id.startsWith(`${view}.`)),
      );
      assert.deepEqual(ours.sort(), ids);
    }),
  );

  it(
    'takes all back when it ends, so that it can start again',
    withProduct({}, async (product) => {
      await product.restart();
      await product.restart();
      assert.equal(product.context.subscriptions.length, 1);
      assert.deepEqual(product.window.said, []);
    }),
  );

  it(
    'looks without a view for those who chose notifications',
    withProduct({ isConnected: false, settings: { notifications: ['streamStarted'] } }, async (product) => {
      await storeConnection(product);
      await product.restart();
      await eventually(() => assert.ok(product.requests()[0]?.startsWith(FIRST_PAINT), product.requests()[0]));
      assert.equal(product.view.visible, false);
    }),
  );

  it(
    'asks nothing while its view is hidden, and paints with one request and the counts when it is seen',
    withProduct({}, async (product) => {
      await wait(600);
      assert.equal(product.view.visible, false);
      assert.deepEqual(product.requests(), []);
      await vscode.commands.executeCommand('liveStreams.streams.focus');
      await eventually(() => assert.equal(product.view.visible, true));
      await eventually(() => assert.notEqual(product.view.badge, undefined));
      const asked = product.requests().filter((line) => line.startsWith(FIRST_PAINT));
      assert.equal(asked.length, product.requests().filter((line) => !/\bcount=1\b|\/health$/.test(line)).length);
      await vscode.commands.executeCommand('workbench.view.explorer');
      await eventually(() => assert.equal(product.view.visible, false));
    }),
  );
});
