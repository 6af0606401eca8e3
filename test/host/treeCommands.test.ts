import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { FACE, type Product, withProduct } from './product.ts';

/** The id of the stream whose row is selected. */
function selected({ view }: Product): unknown {
  const [node] = view.selection;
  return typeof node === 'object' && node !== null ? Reflect.get(node, 'streamId') : undefined;
}

describe('Commands of the tree', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.view.explorer'));

  it(
    'go to a stream: its row is shown and selected, though its page is not loaded',
    withProduct({ demo: { streamCount: 60 }, settings: { pageSize: 20 } }, async (product) => {
      const idle = product.service.control.streams().filter((each) => !each.isActive && each.parentId === undefined);
      const oldest = [...idle].sort((a, b) => a.createdAt - b.createdAt)[0];
      assert.ok(oldest);
      await product.run('goToStream', oldest.id);
      assert.deepEqual([product.window.said, product.log.filter((line) => line.startsWith('error'))], [[], []]);
      await eventually(() => assert.equal(product.view.visible, true));
      await eventually(() => assert.equal(selected(product), oldest.id));
      assert.deepEqual(product.window.said, []);
    }),
  );

  it(
    'load more: the next rows of a group, in place',
    withProduct({ demo: { streamCount: 60 }, settings: { pageSize: 20 } }, async (product) => {
      const idle = (await product.rows()).find((row) => row.contextValue === 'group.idle');
      const first = await product.rows(idle);
      assert.equal(first.length, 21);
      assert.equal(first.at(-1)?.label, 'Load More');
      await product.run('loadMore', first.at(-1)?.node);
      assert.ok((await product.rows(idle)).length > 30);
    }),
  );

  it(
    'refresh: what changed at the service is shown',
    withProduct({}, async (product) => {
      const before = await product.rows();
      const added = product.service.control.addStream({ name: 'Brand new', isActive: true });
      await product.run('refresh');
      const active = before.find((row) => row.contextValue === 'group.active');
      assert.ok((await product.rows(active)).some(({ label }) => label === 'Brand new'));
      product.service.control.setStream(added.id, { name: 'Renamed there' });
      await product.run('retry', added.id);
      assert.ok((await product.rows(active)).some(({ label }) => label === 'Renamed there'));
    }),
  );

  it(
    'count the live streams in the badge',
    withProduct({ demo: { liveCount: 2 } }, async (product) => {
      await product.rows();
      await eventually(() => assert.equal(product.view.badge?.value, 2));
      assert.equal(product.view.badge?.tooltip, '2 live streams');
      assert.ok(FACE === 'full' || product.requests().some((line) => !line.includes('limit=')));
    }),
  );
});
