import assert from 'node:assert/strict';
import { sampleOf } from '../../support/runner/fuzzRuns.ts';
import { CLIENTS, describeWith } from '../../support/service/clients.ts';
import { assertAskedFor, attack, meets, outcomeOf, resultOf, TIMEOUT_MS, watchRejections } from './attacked.ts';
import { ENDPOINTS } from './endpoints.ts';
import { FAULTS, type FaultCase, RETRY_AFTER } from './faults.ts';

/** What comes to an end by itself is given time for it, however busy the machine. */
const unlessStalled = ({ outcome }: FaultCase) =>
  JSON.stringify(outcome).includes('timeout') ? {} : { timeoutMs: 8000 };

for (const client of CLIENTS) {
  describe(`A faulty service (${client})`, () => {
    watchRejections();

    for (const each of sampleOf(FAULTS, 12)) {
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

describeWith(CLIENTS, 'An error of a service that asks to wait', (client) => {
  watchRejections();

  for (const [what, say, wait] of RETRY_AFTER) {
    it(`says ${wait === undefined ? 'no time' : `${wait} ms from then`} by Retry-After ${what}`, async () => {
      const attacked = await attack({ client, timeoutMs: 8000 });
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

describeWith(CLIENTS, 'A faulty connection', (client) => {
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
    it(`comes to ${JSON.stringify(each.outcome)} on every call if the connection ${each.what}`, async () => {
      const attacked = await attack({ client, ...unlessStalled(each) });
      await prepare(attacked, each.prepare);
      await Promise.all(ENDPOINTS.map((endpoint) => meets(attacked, endpoint, each)));
      await attacked.end();
    });
  }

  it('connects again to a service that is there again', async () => {
    const attacked = await attack({ client });
    const [listing] = ENDPOINTS;
    assert.ok(listing);
    await attacked.service.setListening(false);
    assert.deepEqual(await outcomeOf(listing.call(attacked.api)), ['network', 'refused']);
    await attacked.service.setListening(true);
    assert.equal(await outcomeOf(listing.call(attacked.api)), 'ok');
    await attacked.end();
  });
});

describeWith(CLIENTS, 'Calls that are ended by whoever made them', (client) => {
  watchRejections();

  for (const each of FAULTS.filter(({ outcome }) => Array.isArray(outcome) && outcome[0] === 'timeout')) {
    it(`end at once and let the connection go while the service ${each.what}`, async () => {
      const attacked = await attack({ client, timeoutMs: 20_000 });
      attacked.service.fault = each.fault;
      const ending = new AbortController();
      // A change that was sent is never aborted.
      const reads = ENDPOINTS.filter(({ isRepeated }) => isRepeated);
      const calls = reads.map((endpoint) => endpoint.call(attacked.api, ending.signal));
      const settled = Promise.allSettled(calls);
      setTimeout(() => ending.abort(), TIMEOUT_MS / 4);
      for (const one of await settled) {
        assert.ok(one.status === 'rejected' && one.reason.name === 'AbortError', JSON.stringify(one));
      }
      await attacked.end();
    });
  }
});
