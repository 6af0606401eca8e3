import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type ListRequest, listStreamsRequest, listUserSessionsRequest } from '../../src/api/requests.ts';
import type { ListOrder } from '../../src/api/types.ts';
import { inProject } from '../support/projectFolder.ts';
import { forAll } from '../support/runner/fuzzRuns.ts';

const query = fc.record(
  {
    limit: fc.integer(),
    cursor: fc.string(),
    order: fc.constantFrom<ListOrder>(
      'createdAt-true,id-true',
      'lastSeen-true,createdAt-true,id-true',
      'name-false,id-true',
    ),
    filters: fc.constant([{ id: 'name', value: 'x' }]),
  },
  { requiredKeys: [] },
);

describe('Every paged request', () => {
  it('names an order that ends with the id', () => {
    forAll(query, fc.boolean(), (given, flag) => {
      checkForms(listStreamsRequest({ ...given, parentsOnly: flag, count: flag }));
      checkForms(listUserSessionsRequest(given));
    });
  });

  it('is written in api/requests alone', () => {
    const sources = readdirSync(inProject('src'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.startsWith('demo'),
    );
    const writers = sources.filter((path) =>
      /\[\s*'(limit|cursor)'|[?&](limit|cursor)=|set\('(limit|cursor)'/.test(
        readFileSync(join(inProject('src'), path), 'utf8'),
      ),
    );
    assert.deepEqual(writers, [join('api', 'requests.ts')]);
  });
});

function checkForms({ full, unfiltered, stated }: ListRequest): void {
  for (const path of [full, unfiltered, stated]) {
    const sent = new URL(path, 'http://x').searchParams;
    const isPaged = sent.has('limit') || sent.has('cursor');
    if (isPaged)
      assert.match(sent.get('order') ?? '', /^(createdAt-true|lastSeen-true,createdAt-true|name-false),id-true$/, path);
  }
}
