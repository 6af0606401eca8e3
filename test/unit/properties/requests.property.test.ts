import assert from 'node:assert/strict';
import fc from 'fast-check';
import { advance, cursorOfFullPage, cursorOfLink, type PagingState, startPaging } from '../../../src/api/paging.ts';
import { listSessionsRequest, listStreamsRequest, listUserSessionsRequest } from '../../../src/api/requests.ts';
import { retryAtOf } from '../../../src/api/retryAfter.ts';
import type { Filter, ListOrder } from '../../../src/api/types.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { forAll } from '../../support/runner/fuzzRuns.ts';

const HOUR = 3_600_000;
const text = fc.string({ unit: 'grapheme' });

const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ id: fc.constantFrom('isActive', 'record'), value: fc.boolean() }),
  fc.record({
    id: fc.constant('name'),
    value: fc.oneof(text, fc.constantFrom('100%', '%25', '%2', '%zz', 'a&b=c#d+e', '"\\')),
  }),
  fc.record({
    id: text,
    value: fc.oneof(text, fc.integer(), fc.dictionary(fc.constantFrom('gt', 'lte'), fc.integer())),
  }),
);

/** As the public service reads it: the query is decoded, and what is in it once more (src/api/README.md, Lists). */
function readTwice(path: string): unknown {
  const value = new URL(path, 'http://x').searchParams.get('filters');
  return value === null ? [] : JSON.parse(decodeURIComponent(value));
}

/** A name as the service takes it for what was typed. */
function withoutWildcards({ id, value }: Filter): Filter {
  const isName = id === 'name' && typeof value === 'string';
  return {
    id,
    value: isName ? [...value].map((sign) => ('\\%_'.includes(sign) ? `\\${sign}` : sign)).join('') : value,
  };
}

describe('Requests for lists', () => {
  it('carry filters that the service reads as they were meant, though it decodes them twice', () => {
    forAll(fc.array(filter), (filters) => {
      const { full } = listStreamsRequest({ parentsOnly: true, filters });
      assert.deepEqual(readTwice(full), JSON.parse(JSON.stringify(filters.map(withoutWildcards))));
      assert.deepEqual(readTwice(listUserSessionsRequest({ filters }).full), readTwice(full));
    });
  });

  it('carry nothing in their stated form but what is stated, and no cursor leaves its parameter', () => {
    const query = fc.record({
      filters: fc.array(filter),
      limit: fc.oneof(fc.integer(), fc.double({ noNaN: true })),
      cursor: text,
      order: fc.constantFrom<ListOrder>(
        'createdAt-true,id-true',
        'lastSeen-true,createdAt-true,id-true',
        'name-false,id-true',
      ),
    });
    forAll(query, fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), (given, id) => {
      const { full, stated } = listStreamsRequest({ parentsOnly: true, count: true, ...given });
      const known = new URL(full, 'http://x').searchParams;
      assert.equal(known.get('cursor'), given.cursor);
      assert.equal(known.get('order'), given.order);
      const limit = Number(known.get('limit'));
      assert.ok(Number.isInteger(limit) && limit >= 1 && limit <= 1000, `${limit}`);
      for (const key of new URL(stated, 'http://x').searchParams.keys()) {
        assert.ok(['streamsonly', 'filters'].includes(key), key);
      }
      for (const { id: of, value } of readTwice(stated) as Filter[]) {
        assert.ok((of === 'isActive' || of === 'record') && typeof value === 'boolean');
      }
      const sessions = new URL(listSessionsRequest(id, given).full, 'http://x');
      assert.equal(sessions.pathname, `/stream/${id}/sessions`);
    });
  });
});

describe('A Link header', () => {
  const address = fc.oneof(fc.webUrl({ withQueryParameters: true }), text, fc.constantFrom('', '?', 'http://['));

  it('gives a cursor of some length or none for any text, and never throws', () => {
    const link = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('<', '>', ';', 'rel="next"', 'rel=next', '?cursor=a', ',', '"', '#', '&cursor=', ' '))
        .map((parts) => parts.join('')),
    );
    forAll(link, (given) => {
      const cursor = cursorOfLink(given);
      assert.ok(cursor === undefined || (cursor.length > 0 && cursor.length <= 1000));
    });
  });

  it('gives back the cursor that was put into it, wherever it points and whatever stands around it', () => {
    forAll(
      address,
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }),
      fc.boolean(),
      (base, cursor, isLast) => {
        const clean = base.replace(/[<>?#]/g, '');
        const next = `<${clean}?a=1&cursor=${encodeURIComponent(cursor.toWellFormed())}>; rel="next"`;
        const others = '<http://x/?cursor=first>; rel="first", <http://x/?cursor=prev>; rel=prev';
        assert.equal(cursorOfLink(isLast ? `${others}, ${next}` : `${next}, ${others}`), cursor.toWellFormed());
      },
    );
  });
});

describe('Paging', () => {
  const pages = fc.array(
    fc.record({
      ids: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')),
      next: fc.option(fc.constantFrom('1', '2', '3', '4'), { nil: undefined }),
      back: fc.nat({ max: 3 }),
    }),
  );

  it('gives each id once along every way that pages were read, also where some were given up and read again', () => {
    forAll(pages, (steps) => {
      const way: { readonly state: PagingState; readonly ids: ReadonlySet<string> }[] = [
        { state: startPaging(), ids: new Set() },
      ];
      for (const { ids, next, back } of steps) {
        way.splice(Math.max(1, way.length - back));
        const last = way.at(-1);
        assert.ok(last);
        const step = advance(last.state, { items: ids.map((id) => ({ id })), next });
        const fresh = [...new Set(ids)].filter((id) => !last.ids.has(id));
        assert.deepEqual(fieldsOf(step.fresh, 'id'), fresh);
        if (fresh.length === 0) assert.equal(step.next, undefined);
        way.push({ state: step.state, ids: new Set([...last.ids, ...ids]) });
      }
    });
  });

  it('goes on by offsets only where a page was full', () => {
    forAll(
      fc.nat(2000),
      fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
      fc.option(text, { nil: undefined }),
      (rows, limit, cursor) => {
        const next = cursorOfFullPage(rows, { limit, cursor });
        if (next === undefined) return;
        assert.equal(rows, limit);
        assert.match(next, /^skip[1-9]\d*$/);
      },
    );
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double().map(String),
    fc.bigInt().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  );

  it('is a time between now and an hour from now, or nothing, whatever its text', () => {
    forAll(value, fc.option(value, { nil: undefined }), (after, date) => {
      const at = retryAtOf({ 'retry-after': after, ...(date === undefined ? {} : { date }) }, now);
      assert.ok(at === undefined || (at >= now && at <= now + HOUR), `${at}`);
    });
  });

  it('means so many seconds, however wrong the clocks are', () => {
    forAll(fc.integer({ min: 0, max: 3600 }), fc.date({ noInvalidDate: true }), (seconds, date) => {
      const headers = { 'retry-after': ` ${seconds} `, date: date.toUTCString() };
      assert.equal(retryAtOf(headers, now), now + seconds * 1000);
    });
  });
});
