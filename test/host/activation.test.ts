import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { loadedScripts } from './insideProcess.ts';
import { EXTENSION_ID, type Product, withProduct } from './product.ts';

const FIRST_PAINT = `GET /api/stream?streamsonly=1&filters=${encodeURIComponent('[{"id":"isActive","value":true}]')}`;
/** A word that stands in undici's own code alone. */
const UNDICI = /HeadersTimeoutError/;

async function isUndiciLoaded({ context }: Product): Promise<boolean> {
  const scripts = await loadedScripts(join(context.extensionPath, 'dist'));
  assert.ok(scripts.length > 0, 'No script of the extension was found');
  return scripts.some((path) => UNDICI.test(readFileSync(path, 'utf8')));
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
    assert.equal(extension.exports, undefined);
  });

  it('runs against one of the two faces of the demo service', () => {
    assert.match(process.env.LIVE_STREAMS_FACE ?? '', /^(full|strict)$/);
  });

  it(
    'is active before any request, asks when its view is first seen, and loads undici only then',
    withProduct({ isConnected: false }, async (product) => {
      assert.equal(await isUndiciLoaded(product), false, 'undici was loaded before: run this suite first');
      await storeConnection(product);
      await product.restart();
      assert.deepEqual(product.requests(), []);
      await eventually(() => assert.equal(product.view.description, 'Stored'));
      await wait(500);
      assert.deepEqual(product.requests(), []);
      assert.equal(await isUndiciLoaded(product), false);
      assertSame(before);

      await vscode.commands.executeCommand('liveStreams.streams.focus');
      await eventually(() => assert.notEqual(product.requests().length, 0));
      assert.ok(product.requests()[0]?.startsWith(FIRST_PAINT), product.requests()[0]);
      const [first] = product.service.control.requests;
      assert.equal(first?.headers.authorization, `Bearer ${product.service.apiKey}`);
      assert.equal(await isUndiciLoaded(product), true);
      assertSame(before);
    }),
  );

  it(
    'has the commands it declares, and each is registered once',
    withProduct({ isConnected: false }, async ({ context }) => {
      const { commands, views } = context.extension.packageJSON.contributes;
      const declared: readonly { readonly command: string }[] = commands;
      const ids = declared.map(({ command }) => command).sort();
      // VS Code makes some for every view: VIEW.focus and others.
      const ofViews = Object.values<readonly { readonly id: string }[]>(views).flatMap((each) =>
        each.map(({ id }) => id),
      );
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
    'asks nothing while its view is hidden, and paints with one request when it is seen',
    withProduct({}, async (product) => {
      await wait(600);
      assert.equal(product.view.visible, false);
      assert.deepEqual(product.requests(), []);
      await vscode.commands.executeCommand('liveStreams.streams.focus');
      await eventually(() => assert.equal(product.view.visible, true));
      await eventually(() => assert.notEqual(product.view.badge, undefined));
      const asked = product.requests().filter((line) => line.startsWith(FIRST_PAINT));
      assert.equal(asked.length, product.requests().length);
      await vscode.commands.executeCommand('workbench.view.explorer');
      await eventually(() => assert.equal(product.view.visible, false));
    }),
  );
});
