import assert from 'node:assert/strict';
import {
  assertAskedFor,
  attack,
  CLIENTS,
  meets,
  outcomeOf,
  resultOf,
  TIMEOUT_MS,
  watchRejections,
} from './attacked.ts';
import { ENDPOINTS } from './endpoints.ts';
import { BOMBS, FAULTS, type FaultCase, RETRY_AFTER } from './faults.ts';

const MB = 1024 * 1024;

/** What comes to an end by itself is given time for it, however busy the machine. */
const unlessStalled = ({ outcome }: FaultCase) =>
  JSON.stringify(outcome).includes('timeout') ? {} : { timeoutMs: 8000 };

for (const client of CLIENTS) {
  describe(`A service that (${client})`, () => {
    watchRejections();

    for (const each of FAULTS) {
      it(`${each.what}: every call comes to ${JSON.stringify(each.outcome)} in time, and leaves nothing behind`, async () => {
        const attacked = await attack({ client, ...unlessStalled(each) });
        attacked.service.fault = each.fault;
        await Promise.all(ENDPOINTS.map((endpoint) => meets(attacked, endpoint, each)));
        assertAskedFor(attacked, ENDPOINTS);
        await attacked.end();
      });
    }
  });
}

describe('An error of a service that asks to wait', () => {
  watchRejections();

  for (const [what, say, wait] of RETRY_AFTER) {
    it(`by Retry-After ${what}, says ${wait === undefined ? 'no time' : `${wait} ms from then`}`, async () => {
      const attacked = await attack({ timeoutMs: 8000 });
      attacked.service.fault = (reply) => {
        const after = say(Date.parse(reply.headers.date ?? ''));
        return { ...reply, status: 429, headers: { ...reply.headers, 'retry-after': after } };
      };
      const startedAt = Date.now();
      // A change, which is asked for once: readings that may wait do.
      const { outcome, retryAt } = await resultOf(attacked.api.patchStream('a', { name: 'Other' }));
      assert.deepEqual(outcome, ['rateLimited']);
      if (wait === undefined) assert.equal(retryAt, undefined);
      else
        assert.ok(retryAt && retryAt >= startedAt + wait && retryAt <= Date.now() + wait, `${retryAt} at ${startedAt}`);
      await attacked.end();
    });
  }
});

describe('Bodies that grow', () => {
  watchRejections();

  /** The most that buffers took while this ran, beyond what they took before. */
  async function peakOf(run: () => Promise<void>): Promise<number> {
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }, 2);
    await run().finally(() => clearInterval(watching));
    return most;
  }

  for (const each of BOMBS) {
    it(`${each.what}, are left off at their limit, and cost no more memory than that`, async () => {
      const attacked = await attack({ timeoutMs: 8000 });
      attacked.service.fault = each.fault;
      for (const endpoint of ENDPOINTS.filter(({ name }) => /^(listStreams|getStream|patchStream)$/.test(name))) {
        const peak = await peakOf(async () => {
          assert.deepEqual(await outcomeOf(endpoint.call(attacked.api)), each.outcome, endpoint.name);
        });
        assert.ok(peak < 200 * MB, `${endpoint.name}: ${Math.round(peak / MB)} MB`);
      }
      await attacked.end();
    });
  }
});

describe('A connection that', () => {
  watchRejections();

  const atConnect: readonly (FaultCase & { readonly prepare: Parameters<typeof prepare>[1] })[] = [
    { what: 'is refused', prepare: 'refuse', fault: (reply) => reply, outcome: ['network', 'refused'] },
    { what: 'is reset at once', prepare: 'reset', fault: (reply) => reply, outcome: ['network', 'reset'] },
    { what: 'is closed at once', prepare: 'close', fault: (reply) => reply, outcome: ['network', 'reset'] },
    { what: 'is taken and never heard', prepare: 'stall', fault: (reply) => reply, outcome: ['timeout'] },
  ];

  async function prepare({ service }: Awaited<ReturnType<typeof attack>>, how: 'refuse' | 'reset' | 'close' | 'stall') {
    if (how === 'refuse') await service.setListening(false);
    else service.atConnect = how;
  }

  for (const each of atConnect) {
    it(`${each.what}: every call comes to ${JSON.stringify(each.outcome)}`, async () => {
      const attacked = await attack(unlessStalled(each));
      await prepare(attacked, each.prepare);
      await Promise.all(ENDPOINTS.map((endpoint) => meets(attacked, endpoint, each)));
      await attacked.end();
    });
  }

  it('is there again is used again', async () => {
    const attacked = await attack();
    const [listing] = ENDPOINTS;
    assert.ok(listing);
    await attacked.service.setListening(false);
    assert.deepEqual(await outcomeOf(listing.call(attacked.api)), ['network', 'refused']);
    await attacked.service.setListening(true);
    assert.equal(await outcomeOf(listing.call(attacked.api)), 'ok');
    await attacked.end();
  });
});

describe('Calls that are ended by whoever made them', () => {
  watchRejections();

  for (const each of FAULTS.filter(({ outcome }) => Array.isArray(outcome) && outcome[0] === 'timeout')) {
    it(`while the service ${each.what}, end at once and let the connection go`, async () => {
      const attacked = await attack({ timeoutMs: 20_000 });
      attacked.service.fault = each.fault;
      const ending = new AbortController();
      const calls = ENDPOINTS.map((endpoint) => endpoint.call(attacked.api, ending.signal));
      const settled = Promise.allSettled(calls);
      setTimeout(() => ending.abort(), TIMEOUT_MS / 4);
      for (const one of await settled) {
        assert.ok(one.status === 'rejected' && one.reason.name === 'AbortError', JSON.stringify(one));
      }
      await attacked.end();
    });
  }
});
