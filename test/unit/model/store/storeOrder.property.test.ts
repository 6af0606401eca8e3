import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Stream } from '../../../../src/api/types.ts';
import type { Listed } from '../../../../src/model/store/facts.ts';
import { LIST_NAMES, type ListName } from '../../../../src/model/store/snapshot.ts';
import { StreamStore } from '../../../../src/model/store/store.ts';
import { hasMore, shownIds } from '../../../../src/model/store/streams.ts';
import type { ConnectionWriter } from '../../../../src/model/store/writer.ts';
import { aStream, NOW, SECOND } from '../../../support/model/builders.ts';
import { heldClock } from '../../../support/model/heldClock.ts';
import { NaiveGroups } from '../../../support/model/naiveGroups.ts';
import { FUZZ_RUNS as numRuns } from '../../../support/runner/fuzzRuns.ts';

/** What a store is told, with a time to wait before. */
type Tell = (writer: ConnectionWriter, store: StreamStore) => void;

const stream: fc.Arbitrary<Stream> = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c'),
    name: fc.constantFrom('x', 'xy'),
    isActive: fc.boolean(),
    record: fc.boolean(),
    suspended: fc.constantFrom(true, false, undefined),
    lastSeen: fc.constantFrom(undefined, NOW - 200 * SECOND, NOW),
  })
  .map(aStream);

const age = fc.nat({ max: 9 }).map((requestSeq) => ({ requestSeq, startedAt: NOW, serverDate: NOW }));
const streams = fc.uniqueArray(stream, { maxLength: 3, selector: ({ id }) => id });
const listed: fc.Arbitrary<Listed> = fc
  .tuple(age, fc.record({ streams, revealed: fc.nat({ max: 2 }), hasNextPage: fc.boolean() }))
  .map(([ofWhen, list]) => ({ ...ofWhen, ...list, total: undefined, unreadable: 0, isFiltered: true, seen: 0 }));
const paged = fc.constantFrom<ListName[]>('idle', 'recording');
const id = fc.constantFrom('a', 'b', 'c');

const tell: fc.Arbitrary<Tell> = fc.oneof(
  listed.map(
    (answer): Tell =>
      (writer) =>
        void writer.activeListed(answer),
  ),
  fc.tuple(paged, listed).map(
    ([list, answer]): Tell =>
      (writer) =>
        writer.listed(list, answer),
  ),
  fc.tuple(paged, listed).map(
    ([list, answer]): Tell =>
      (writer) =>
        writer.listedMore(list, answer),
  ),
  fc.tuple(stream, age, fc.record({ settle: fc.boolean(), pin: fc.boolean() })).map(
    ([read, ofWhen, options]): Tell =>
      (writer) =>
        writer.read(read, ofWhen, options),
  ),
  fc.tuple(id, fc.nat({ max: 9 })).map(
    ([each, requestSeq]): Tell =>
      (writer) =>
        writer.notFound(each, requestSeq),
  ),
  id.map(
    (each): Tell =>
      (writer) =>
        writer.gone(each),
  ),
  fc.tuple(id, age).map(
    ([each, ofWhen]): Tell =>
      (writer) =>
        writer.leftActiveUnread([each], ofWhen),
  ),
  id.map(
    (each): Tell =>
      (writer) =>
        writer.unpin([each]),
  ),
  paged.map(
    (list): Tell =>
      (writer) =>
        writer.revealMore(list, 1),
  ),
  fc.constantFrom('', 'y').map(
    (text): Tell =>
      (_writer, store) =>
        store.setFilter(text),
  ),
);

const passing = fc.constantFrom(0, 0, 0, SECOND, 30 * SECOND, -3600 * SECOND);

describe('What the store is told in whatever order', () => {
  it('makes the groups of a naive model after each step', function () {
    this.timeout(60_000 + numRuns * 50);
    fc.assert(
      fc.property(fc.array(fc.tuple(tell, passing), { minLength: 3, maxLength: 25, size: 'max' }), (words) => {
        let now = NOW;
        const store = new StreamStore({ clock: { ...heldClock(), now: () => now } });
        const naive = new NaiveGroups(() => now);
        const writer = store.openWriter();
        naive.follow(store, writer);
        for (const [say, ms] of words) {
          now += ms;
          say(writer, store);
          for (const list of LIST_NAMES) {
            const expected = naive.group(list);
            assert.deepEqual(shownIds(store.snapshot, list), expected.ids, list);
            if (list !== 'active') assert.equal(hasMore(store.snapshot, list), expected.hasMore, `more of ${list}`);
          }
        }
      }),
      { numRuns: numRuns * 5 },
    );
  });
});
