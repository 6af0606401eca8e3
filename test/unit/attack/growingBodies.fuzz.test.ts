import assert from 'node:assert/strict';
import { collectAll } from '../../bench/collectGarbage.ts';
import { CLIENTS } from '../../support/service/clients.ts';
import { attack, outcomeOf, watchRejections } from './attacked.ts';
import { ENDPOINTS } from './endpoints.ts';
import { makeBombs } from './faults.ts';

const MB = 1024 * 1024;

describe('Bodies that grow', () => {
  watchRejections();

  /** Bytes of the heap, of buffers and of decoders. */
  const held = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };

  /** The most bytes that were held at once while this ran. */
  async function peakOf(run: () => Promise<void>): Promise<number> {
    collectAll();
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, held());
    }, 2);
    await run().finally(() => clearInterval(watching));
    return most;
  }

  for (const client of CLIENTS) {
    it(`are left off at their limit on the way to a gigabyte, and cost no more memory than the limit (${client})`, async function () {
      this.timeout(300_000);
      const bombs = makeBombs();
      const attacked = await attack({ client, timeoutMs: 20_000 });
      collectAll();
      const before = held();
      for (const { what, fault, outcome, isQuick } of bombs) {
        attacked.service.fault = fault;
        // One that is read and one that changes stand for all where decoding takes its time.
        for (const { name, call } of ENDPOINTS.filter(({ name }) => isQuick || /^(list|patch)Streams?$/.test(name))) {
          const peak = await peakOf(async () => {
            assert.deepEqual(await outcomeOf(call(attacked.api)), outcome, `${what}: ${name}`);
          });
          const megabytes = Math.round((peak - before) / MB);
          // The limit is 64 MB; garbage that nobody had time to collect comes on top.
          assert.ok(megabytes < 256, `${what}: ${name} held ${megabytes} MB`);
        }
      }
      await attacked.end();
    });
  }
});
