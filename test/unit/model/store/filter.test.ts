import assert from 'node:assert/strict';
import { matchesFilter, nameFilter } from '../../../../src/model/store/streams.ts';

describe('A filter', () => {
  const stream = {
    id: 'one',
    name: 'Re:Invent at 10:30',
    tags: { event: 'Summit', languages: ['en', 'fr'], 'Year ': 2026, nested: { deep: true } },
  };

  for (const text of [
    '',
    're:inv',
    '10:30',
    'EVENT:sum',
    'event:',
    'languages:fr',
    'year :26',
    'tag:summit',
    'tag:lang',
  ]) {
    it(`finds a stream by "${text}"`, () => assert.equal(matchesFilter(stream, text), true));
  }

  for (const text of ['event:party', 'even:Summit', 'event: Summit', 'languages:en,fr', 'tag:party', ':Summit']) {
    it(`doesn't find it by "${text}"`, () => assert.equal(matchesFilter(stream, text), false));
  }

  it('finds values that are no texts, which other clients may have set', () => {
    assert.equal(matchesFilter(stream, 'nested:deep'), true);
    assert.equal(matchesFilter({ id: 'two', name: 'x', tags: { none: null } }, 'none:null'), true);
    assert.equal(matchesFilter({ id: 'two', name: 'x', tags: undefined }, 'tag:x'), false);
  });

  it('is for a name, which services search, unless it may be for a tag', () => {
    assert.deepEqual(['10:30', 'Show: Morning', ':x', 'key:value', 'key:'].map(nameFilter), [
      '10:30',
      'Show: Morning',
      ':x',
      '',
      '',
    ]);
  });
});
