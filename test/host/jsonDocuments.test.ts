import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DemoStream } from '../../src/demo/demoState.ts';
import { eventually } from './eventually.ts';
import { type Product, withProduct } from './product.ts';

const shown = () => vscode.window.activeTextEditor?.document;
const text = () => shown()?.getText() ?? '';
const closeAll = () => vscode.commands.executeCommand('workbench.action.closeAllEditors');

function aStream({ service }: Product): DemoStream {
  const stream = service.control.streams().find(({ parentId, streamKey }) => parentId === undefined && streamKey);
  return stream ?? assert.fail('The demo has no stream with a key');
}

describe('Streams and sessions as JSON', () => {
  it(
    'open read-only with their secrets masked, show them when asked, and forget them when closed',
    withProduct({}, async (product) => {
      const { id, name, streamKey = '' } = aStream(product);
      await product.run('openJson', id);
      assert.equal(shown()?.languageId, 'json');
      assert.equal(JSON.parse(text()).name, name);
      assert.ok(!text().includes(streamKey));
      assert.ok(!(shown()?.uri.toString(true) ?? streamKey).includes(streamKey));
      const before = text();
      await vscode.commands.executeCommand('type', { text: 'x' }).then(undefined, () => undefined);
      assert.equal(text(), before);

      await product.run('revealSecrets');
      await eventually(() => assert.equal(JSON.parse(text()).streamKey, streamKey));
      await closeAll();
      await eventually(() => assert.equal(shown(), undefined));
      await product.run('openJson', { id });
      await eventually(() => {
        assert.equal(JSON.parse(text()).id, id);
        assert.ok(!text().includes(streamKey));
      });
      assert.deepEqual(product.window.said, []);
    }),
  );

  it(
    'hold no key of the stream in a session’s JSON',
    withProduct({}, async (product) => {
      const { id, streamKey = '' } = aStream(product);
      const session = product.service.control.addSession(id);
      await product.run('openJson', session.id);
      assert.equal(JSON.parse(text()).id, session.id);
      assert.ok(!text().includes(streamKey));
    }),
  );

  it(
    'list all streams, or those of one kind, masked',
    withProduct({}, async (product) => {
      const streams = product.service.control.streams();
      const parents = streams.filter(({ parentId }) => parentId === undefined);
      const expected: readonly [which: string, historicChildStreams: boolean, ids: readonly string[]][] = [
        ['all', false, parents.map(({ id }) => id)],
        ['all', true, streams.map(({ id }) => id)],
        ['active', false, parents.filter(({ isActive }) => isActive).map(({ id }) => id)],
        ['idle', false, parents.filter(({ isActive }) => !isActive).map(({ id }) => id)],
        ['recording', false, parents.filter(({ record }) => record).map(({ id }) => id)],
      ];
      for (const [which, historicChildStreams, ids] of expected) {
        await product.run('openJson', { which, historicChildStreams });
        const rows: readonly { readonly id: string }[] = JSON.parse(text());
        assert.deepEqual(rows.map(({ id }) => id).sort(), [...ids].sort());
        for (const { streamKey } of streams) if (streamKey) assert.ok(!text().includes(streamKey));
        await closeAll();
      }
      assert.deepEqual(product.window.said, []);
    }),
  );

  it(
    'say what is gone, and that there is nothing to reveal',
    withProduct({}, async (product) => {
      const { id, name } = aStream(product);
      product.service.control.deleteStream(id);
      await product.run('openJson', id);
      await product.run('openJson', 'no-such-session');
      await product.run('revealSecrets');
      const said = product.window.said.map((message) => message.text);
      assert.match(said[0] ?? '', new RegExp(`^"(${name}|${id})" no longer exists`));
      assert.equal(said[1], '"no-such-session" no longer exists.');
      assert.match(said[2] ?? '', /To reveal secrets, first open a stream or session as JSON\./);
      assert.equal(shown(), undefined);
    }),
  );
});
