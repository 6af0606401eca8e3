import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FUZZ_RUNS } from '../../support/runner/fuzzRuns.ts';
import { CLIENTS, describeWith } from '../../support/service/clients.ts';
import { combine, type Fault } from '../../support/service/faultService.ts';
import { type Attacked, attack, outcomeOf, PATIENCE_MS, watchRejections } from './attacked.ts';
import { ENDPOINTS } from './endpoints.ts';
import { FAULTS, ODD_BUT_RIGHT } from './faults.ts';

const TIMEOUT_MS = 60;
/** Many of them wait until a call is given up. */
const numRuns = Math.ceil(FUZZ_RUNS / 5);

const endpoint = fc.constantFrom(...ENDPOINTS);
const some = (faults: typeof FAULTS) => fc.uniqueArray(fc.constantFrom(...faults), { minLength: 2, maxLength: 5 });
/** Byte by byte a large body takes its time, which is no trouble either. */
const QUICK = ODD_BUT_RIGHT.filter(({ what }) => what !== 'one byte after the other');
/** What replaces the body comes before what compresses or counts it. */
const ORDER = [/gzip|encoding/, /chunk|HTTP\/1|Content-Length/];
const rank = ({ what }: { readonly what: string }) => ORDER.findLastIndex((words) => words.test(what));
const together = (faults: typeof FAULTS): Fault =>
  combine(...[...faults].sort((a, b) => rank(a) - rank(b)).map(({ fault }) => fault));

describeWith(CLIENTS, 'Faults together', (client) => {
  watchRejections();

  async function attacked(timeoutMs: number, run: (attacked: Attacked) => Promise<void>): Promise<void> {
    const one = await attack({ client, timeoutMs });
    try {
      await run(one);
    } finally {
      await one.end();
    }
  }

  it('are no trouble if they are odd and no more', async function () {
    this.timeout(1_800_000);
    await attacked(5000, async ({ service, api, log }) => {
      const property = fc.asyncProperty(some(QUICK), endpoint, async (faults, { name, call }) => {
        service.fault = together(faults);
        assert.equal(await outcomeOf(call(api)), 'ok', `${name}: ${log.slice(-2).join('\n')}`);
      });
      await fc.assert(property, { numRuns });
    });
  });

  it('come to an ApiError or an answer in time, whatever they are, and leave nothing behind', async function () {
    this.timeout(1_800_000);
    await attacked(TIMEOUT_MS, async ({ service, api, clock }) => {
      const property = fc.asyncProperty(some(FAULTS), endpoint, async (faults, { call }) => {
        service.fault = together(faults);
        const startedAt = clock.elapsed();
        await outcomeOf(call(api));
        const took = clock.elapsed() - startedAt;
        assert.ok(took < TIMEOUT_MS + PATIENCE_MS, `${Math.round(took)} ms`);
      });
      await fc.assert(property, { numRuns });
    });
  });
});
