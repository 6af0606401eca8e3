import assert from 'node:assert/strict';
import { countUnloaded, matchesFilter, nameFilter } from '../../../../src/model/store/streams.ts';
import { aSnapshot, aStream } from '../../../support/model/builders.ts';

describe('A filter', () => {
  const stream = {
    id: 'cafe-0123',
    playbackId: 'feed00dbeef1',
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
    '10:30 INVENT',
    ' at  re ',
    'cafe-01',
    'ED00DBEE',
  ]) {
    it(`finds a stream by "${text}"`, () => assert.equal(matchesFilter(stream, text), true));
  }

  for (const text of [
    'event:party',
    'even:Summit',
    'event: Summit',
    'languages:en,fr',
    'tag:party',
    ':Summit',
    'invent 11',
    'caf',
    'cafe 0123',
  ]) {
    it(`doesn't find it by "${text}"`, () => assert.equal(matchesFilter(stream, text), false));
  }

  it('finds values that are no texts, which other clients may have set', () => {
    assert.equal(matchesFilter(stream, 'nested:deep'), true);
    assert.equal(matchesFilter({ id: 'two', name: 'x', tags: { none: null } }, 'none:null'), true);
    assert.equal(matchesFilter({ id: 'two', name: 'x', tags: undefined }, 'tag:x'), false);
  });

  it('is for a name, of which services search the longest word, unless it may be for a tag', () => {
    assert.deepEqual(['10:30', 'Show: Morning', ':x', 'key:value', 'key:'].map(nameFilter), [
      '10:30',
      'Morning',
      ':x',
      '',
      '',
    ]);
  });

  it('has a count in Recording On once all other streams are loaded, if it is for a tag or several words', () => {
    const streams = ['Harbour webcam', 'Harbour', 'Webcam'].flatMap((name, n) => [
      aStream({ id: `recorded-${n}`, name, record: true }),
      aStream({ id: `other-${n}`, name }),
    ]);
    const lists = { recording: { isLoaded: false, ids: [], total: 7 } };
    const count = (filter: string, idle = {}) =>
      countUnloaded(aSnapshot({ streams, filter, lists: { ...lists, idle } }), 'recording');
    assert.equal(count('HARBOUR cam'), 1);
    assert.equal(count('harbour'), 7, 'the service counts');
    assert.equal(count('HARBOUR cam', { hasNextPage: true }), undefined);
    assert.equal(count('HARBOUR cam', { isLoaded: false }), undefined);
  });
});
