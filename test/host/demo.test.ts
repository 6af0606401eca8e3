import assert from 'node:assert/strict';
import { type Product, untilDescribed, withProduct } from './product.ts';

const labels = async (product: Product) => (await product.rows()).map(({ label }) => label);
describe('The demo', () => {
  it(
    'shows data of its own at once, is stored nowhere, and gives back what was there before',
    withProduct({}, async (product) => {
      const [secret] = await product.secretKeys();
      await product.run('startDemo');
      await untilDescribed(product, 'Demo');
      assert.deepEqual(await labels(product), ['Demo data. Connect to a Service…', 'Active', 'Idle', 'Recording']);
      assert.deepEqual(await product.secretKeys(), [secret]);
      assert.deepEqual(product.requests(), []);
      await product.run('stopDemo');
      await untilDescribed(product, 'Production');
      assert.deepEqual(await labels(product), ['Active', 'Idle', 'Recording']);
      assert.deepEqual(product.window.said, []);
    }),
  );

  it(
    'needs no connection, and leaves none behind',
    withProduct({ isConnected: false }, async (product) => {
      await product.run('startDemo');
      await product.run('startDemo');
      assert.equal((await labels(product)).length, 4);
      await product.run('stopDemo');
      assert.deepEqual(await labels(product), []);
      assert.deepEqual(await product.secretKeys(), []);
    }),
  );

  it(
    'starts again with a window that had it on, and not with one that had stopped it',
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
      assert.deepEqual(await labels(product), ['Active', 'Idle', 'Recording']);
      await product.restart();
      await untilDescribed(product, 'Production');
    }),
  );
});
