import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Product, untilDescribed, withProduct } from './product.ts';
import { replace } from './replace.ts';

const labels = async (product: Product) => (await product.rows()).map(({ label }) => label);
describe('The demo', () => {
  it(
    'shows data of its own at once, is stored nowhere, and gives back what was there before',
    withProduct({}, async (product) => {
      const [secret] = await product.secretKeys();
      await product.run('startDemo');
      await untilDescribed(product, 'Demo');
      assert.deepEqual(await labels(product), ['Active', 'Idle', 'Recording On']);
      assert.deepEqual(await product.secretKeys(), [secret]);
      assert.deepEqual(product.requests(), []);
      await product.run('stopDemo');
      await untilDescribed(product, 'Production');
      assert.deepEqual(await labels(product), ['Active', 'Idle', 'Recording On']);
      assert.deepEqual(product.window.said, []);
    }),
  );

  it(
    'needs no connection, and leaves none behind',
    withProduct({ isConnected: false }, async (product) => {
      await product.run('startDemo');
      await product.run('startDemo');
      assert.equal((await labels(product)).length, 3);
      await product.run('stopDemo');
      assert.deepEqual(await labels(product), []);
      assert.deepEqual(await product.secretKeys(), []);
    }),
  );

  it(
    'starts with a window that had the demo on, and not with one that had stopped it',
    withProduct({}, async (product) => {
      await product.run('startDemo');
      await product.restart();
      await untilDescribed(product, 'Demo');
      assert.ok((await labels(product)).includes('Active'));
      await product.run('stopDemo');
      await product.restart();
      await untilDescribed(product, 'Production');
    }),
  );

  it(
    'ends when a service is connected to',
    withProduct({ isConnected: false }, async (product) => {
      await product.run('startDemo');
      await product.connect();
      await untilDescribed(product, 'Production');
      assert.deepEqual(await labels(product), ['Active', 'Idle', 'Recording On']);
      await product.restart();
      await untilDescribed(product, 'Production');
    }),
  );

  it(
    'has the same streams each time it is started in a workspace',
    withProduct({ isConnected: false }, async (product) => {
      await product.run('startDemo');
      const first = await namesShown(product);
      await product.run('stopDemo');
      await product.run('startDemo');
      assert.deepEqual(await namesShown(product), first);
      assert.ok(first.length > 5, first.join());
    }),
  );

  it(
    'starts though no data can be kept and its address cannot be found out, with a line in the log each',
    withProduct({ isConnected: false }, async (product) => {
      const { workspaceState } = product.context;
      const { update } = workspaceState;
      const keeping = replace(workspaceState, 'update', async (key: string, value: unknown) => {
        if (key === 'demoStarts') throw new Error('the disk is full');
        return update.call(workspaceState, key, value);
      });
      const reaching = replace(vscode.env, 'asExternalUri', async () => {
        throw new Error('no tunnel');
      });
      try {
        await product.run('startDemo');
        assert.ok((await labels(product)).includes('Active'));
      } finally {
        keeping.dispose();
        reaching.dispose();
      }
      const warnings = product.log.filter((line) => line.startsWith('warn')).join('\n');
      assert.match(warnings, /The next demo repeats this one: .*the disk is full/);
      assert.match(warnings, /can.t be reached: .*no tunnel/);
      assert.deepEqual(product.window.said, []);
    }),
  );
});

/** Names of the streams in all groups. */
async function namesShown({ rows }: Product): Promise<readonly string[]> {
  const groups = (await rows()).filter(({ contextValue }) => contextValue.startsWith('group'));
  const streams = await Promise.all(groups.map((group) => rows(group)));
  return [...new Set(streams.flat().map(({ label }) => label))].sort();
}
