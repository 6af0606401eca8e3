import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { restoreDefaults } from './defaultSettings.ts';
import { eventually } from './eventually.ts';
import { FACE, type Product, withProduct } from './product.ts';

const { Workspace } = vscode.ConfigurationTarget;
const write = (key: string, value: unknown) =>
  vscode.workspace.getConfiguration('liveStreams').update(key, value, Workspace);

/** The page sizes that a window that starts asks for, but for counts, which take one row. A service that refuses them is asked once. */
async function limitsAsked(product: Product): Promise<readonly (string | null)[]> {
  await product.restart();
  product.service.control.clearRequests();
  for (const group of await untilRows(product)) await product.rows(group);
  const limits = product.requests().map((line) => new URL(line.slice(4), 'http://x').searchParams.get('limit'));
  return [...new Set(limits.filter((limit) => limit !== null && limit !== '1'))];
}

function untilRows(product: Product) {
  return eventually(async () => {
    const rows = await product.rows();
    assert.ok(rows.length > 0, 'The tree stayed empty');
    return rows;
  });
}

function warnings({ log }: Product): readonly string[] {
  return log.filter((line) => line.startsWith('warn: The setting'));
}

describe('Settings that a workspace got wrong', () => {
  afterEach(async () => {
    for (const key of ['pageSize', 'showHistoricChildStreams']) await write(key, undefined);
    await restoreDefaults();
  });

  const wrong: readonly [written: unknown, limit: string, sentence: RegExp][] = [
    [0.001, '20', /is not between 20 and 1000: 20 is used/],
    [1e9, '1000', /is not between 20 and 1000: 1000 is used/],
    ['abc', '500', /is a string, not a number: 500 is used/],
    [['20'], '500', /is a list, not a number: 500 is used/],
    [{ a: 1 }, '500', /is an object, not a number: 500 is used/],
  ];
  for (const [written, limit, sentence] of wrong) {
    it(
      `do no harm: a page size of ${JSON.stringify(written)} means ${limit}, with one log line`,
      withProduct({}, async (product) => {
        await write('pageSize', written);
        // The live streams are asked for whole. A service that refuses that is told no page size at all.
        const expected = FACE === 'full' ? new Set(['1000', limit]) : ['1000'];
        assert.deepEqual(await limitsAsked(product), [...expected]);
        await product.run('refresh');
        assert.equal(warnings(product).length, 1);
        assert.match(warnings(product)[0] ?? '', sentence);
      }),
    );
  }

  it(
    'do no harm: a switch that is a text is off',
    withProduct({ demo: { streamCount: 20 } }, async (product) => {
      await write('showHistoricChildStreams', 'yes');
      await product.restart();
      const labels = (await untilRows(product)).map(({ label }) => label);
      assert.deepEqual(labels, ['Active', 'Idle', 'Recording On']);
      await product.run('refresh');
      assert.equal(warnings(product).length, 1);
    }),
  );
});
