import assert from 'node:assert/strict';
import { createCaller } from '../../../src/api/calls.ts';
import { listProjects, probeStreams, readEmail } from '../../../src/api/connectRequests.ts';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { createTestClock } from '../../support/model/testClock.ts';
import { apiOver, BASE, KEY } from './support.ts';

function callerOver(answer: Parameters<typeof apiOver>[0]) {
  const { transport, ...recorded } = apiOver(answer);
  const options = { baseUrl: BASE, apiKey: KEY, transport, clock: createTestClock() };
  return { ...recorded, call: createCaller(options, new KnownSecrets()) };
}

describe('looking for a service without a key', () => {
  const query = { parentsOnly: true, filters: [{ id: 'isActive', value: true }] } as const;
  for (const answer of [{ status: 401 }, { status: 403 }, { body: [] }]) {
    it(`finds it by the answer ${JSON.stringify(answer)}, and sends no key`, async () => {
      const { call, requests, asked } = callerOver(() => answer);
      await probeStreams(call, query);
      assert.deepEqual(asked(), [
        `GET /stream?streamsonly=1&filters=${encodeURIComponent('[{"id":"isActive","value":true}]')}`,
      ]);
      assert.equal(requests[0]?.headers.authorization, undefined);
    });
  }

  for (const [answer, reason] of [
    [{ body: '<html>' }, 'invalidResponse'],
    [{ body: { streams: [] } }, 'invalidResponse'],
    [{ status: 302 }, 'invalidResponse'],
    [{ status: 404 }, 'notFound'],
    [{ status: 500 }, 'unavailable'],
  ] as const) {
    it(`says ${reason} after ${JSON.stringify(answer)}`, async () => {
      const { call } = callerOver(() => answer);
      await assert.rejects(probeStreams(call, query), { reason });
    });
  }
});

describe('what a service calls an account', () => {
  it('is the names of its projects, without what is no name, and its email address', async () => {
    const projects = [{ id: 'p', name: 'One' }, { id: 'q' }, 'odd', { name: 5 }];
    const { call, asked } = callerOver(({ url }) => ({
      body: url.endsWith('/project') ? projects : { email: 'a@b.c' },
    }));
    assert.deepEqual(await listProjects(call), [
      { id: 'p', name: 'One' },
      { id: 'q', name: '' },
      { id: undefined, name: '' },
      { id: undefined, name: '5' },
    ]);
    assert.equal(await readEmail(call), 'a@b.c');
    assert.deepEqual(asked(), ['GET /project', 'GET /user/me']);
  });

  for (const body of [{}, 'text', null, [{ email: ['a'] }]]) {
    it(`is unknown from ${JSON.stringify(body)}`, async () => {
      const { call } = callerOver(() => ({ body: JSON.stringify(body) }));
      await assert.rejects(readEmail(call), { reason: 'invalidResponse' });
      if (!Array.isArray(body)) await assert.rejects(listProjects(call), { reason: 'invalidResponse' });
    });
  }
});
