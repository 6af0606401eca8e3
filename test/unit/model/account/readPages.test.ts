import assert from 'node:assert/strict';
import { MAX_PAGES } from '../../../../src/api/paging.ts';
import { readPages } from '../../../../src/model/account/pages.ts';

describe('Reading the pages of a list', () => {
  it('takes a page of more rows than a call takes arguments', async () => {
    const items = Array.from({ length: 300_000 }, (_, index) => ({ id: `s${index}` }));
    const page = {
      items,
      unreadable: 0,
      isFiltered: true,
      next: undefined,
      total: undefined,
      requestSeq: 1,
      startedAt: 0,
      serverDate: 0,
    };
    const read = await readPages(() => Promise.resolve(page), { pages: MAX_PAGES });
    assert.equal(read.items.length, items.length);
  });
});
