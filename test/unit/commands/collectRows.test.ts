import assert from 'node:assert/strict';
import { collectRows } from '../../../src/commands/jsonDocuments.ts';

describe('Rows that are collected for a document', () => {
  const asked: number[] = [];
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    for (let page = 0; page < 3; page++) {
      asked.push(page);
      yield [{ id: `a${page}` }, { id: `b${page}` }];
    }
  }
  /** Of each row: `{ "id": "a0" }` over three lines. */
  const SIZE = JSON.stringify({ id: 'a0' }, null, 2).length;
  beforeEach(() => asked.splice(0));

  it('are all rows of all pages while they fit', async () => {
    const counts: number[] = [];
    const { rows, isCut } = await collectRows(pages(), { most: 6 * SIZE, onCount: (count) => counts.push(count) });
    assert.deepEqual([rows.length, isCut, counts], [6, false, [2, 4, 6]]);
  });

  it('end with the last that fits, and no further page is asked for', async () => {
    const { rows, isCut } = await collectRows(pages(), { most: 4 * SIZE - 1, onCount() {} });
    assert.deepEqual([rows.length, isCut, asked], [3, true, [0, 1]]);
  });
});
