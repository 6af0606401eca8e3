import assert from 'node:assert/strict';
import { loaded } from '../../../../src/model/store/facts.ts';

describe('A list that was read to its end', () => {
  const read = {
    streams: [],
    revealed: 0,
    unreadable: 0,
    isFiltered: true,
    requestSeq: 1,
    startedAt: 0,
    serverDate: 0,
  };
  const missing = (seen: number, total: number | undefined, earlierTotal?: number) =>
    loaded({ ...read, hasNextPage: false, seen, total }, earlierTotal).missing;

  it('lacks the rows that the service counts and no page held', () => {
    assert.equal(missing(14, 20), 6);
    assert.equal(missing(14, 20, 20), 6);
    assert.equal(missing(20, 20), 0);
    assert.equal(missing(20, undefined), 0);
  });

  it('lacks none that came or went between two pages', () => {
    assert.equal(missing(20, 21, 20), 0);
    assert.equal(missing(20, 20, 21), 0);
    assert.equal(missing(20, undefined, 20), 0);
  });
});
