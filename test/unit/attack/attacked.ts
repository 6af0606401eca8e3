import assert from 'node:assert/strict';
import { isApiError } from '../../../src/api/errors.ts';
import { StreamApi } from '../../../src/api/streamApi.ts';
import { createUndiciTransport } from '../../../src/api/undiciTransport.ts';
import type { Clock } from '../../../src/services.ts';
import { type FaultService, startFaultService } from '../../support/faultService.ts';
import { createTestClock } from '../../support/testClock.ts';
import { recordingLog, until } from '../api/support.ts';
import { type Endpoint, goodReply } from './endpoints.ts';
import type { FaultCase, Outcome } from './faults.ts';

/** For a whole call, retries included. */
export const TIMEOUT_MS = 500;
/** What a machine that is busy may add. */
export const PATIENCE_MS = 1500;
export const KEY = 'the-api-key-0123456789';

/** A clock that knows what it still has to do. */
export function countingClock(): Clock & { readonly timers: number } {
  const clock = createTestClock();
  let timers = 0;
  return {
    get timers() {
      return timers;
    },
    now: clock.now,
    setTimeout(run, ms) {
      let isOpen = true;
      const end = () => {
        if (isOpen) timers -= 1;
        isOpen = false;
      };
      timers += 1;
      const timer = clock.setTimeout(() => {
        end();
        run();
      }, ms);
      return {
        dispose() {
          end();
          timer.dispose();
        },
      };
    },
  };
}

/** A client over the real transport, and the service that attacks it. */
export interface Attacked {
  readonly service: FaultService;
  readonly api: StreamApi;
  readonly clock: ReturnType<typeof countingClock>;
  readonly log: readonly string[];
  /** Ends everything, and fails when something is left behind. */
  end(): Promise<void>;
}

export async function attack(options: { readonly timeoutMs?: number; readonly url?: string } = {}): Promise<Attacked> {
  const { timeoutMs = TIMEOUT_MS } = options;
  const service = await startFaultService(goodReply);
  const clock = countingClock();
  const log = recordingLog();
  // Below what Math.random gives, so that retries come at once.
  const transport = createUndiciTransport({ settings: () => ({ timeoutMs }), clock, log, random: () => -0.45 });
  const api = new StreamApi({ baseUrl: options.url ?? service.url, apiKey: KEY, transport, clock, log });
  return {
    ...{ service, api, clock, log: log.lines },
    async end() {
      assert.equal(clock.timers, 0, 'timers');
      await until(() => service.waiting.size === 0);
      transport.dispose();
      await until(() => service.sockets.size === 0);
      await service.close();
      assert.ok(!log.lines.join().includes(KEY), 'the key is in the log');
    },
  };
}

/** Calls an endpoint, and fails unless it comes to this in time. */
export async function meets({ api, log }: Attacked, endpoint: Endpoint, { outcome }: FaultCase): Promise<void> {
  const expected = isByReading(outcome) ? outcome[endpoint.reading] : outcome;
  const startedAt = performance.now();
  const actual = await outcomeOf(endpoint.call(api));
  const took = performance.now() - startedAt;
  assert.deepEqual(actual, expected, `${endpoint.name}, after\n${log.slice(-6).join('\n')}`);
  assert.ok(took < TIMEOUT_MS + PATIENCE_MS, `${endpoint.name} took ${Math.round(took)} ms`);
}

function isByReading(outcome: FaultCase['outcome']): outcome is Exclude<FaultCase['outcome'], Outcome> {
  return typeof outcome === 'object' && !Array.isArray(outcome);
}

/** What a call came to. Anything but an answer or an ApiError is thrown on. */
export async function outcomeOf(calling: Promise<unknown>): Promise<Outcome> {
  try {
    await calling;
    return 'ok';
  } catch (error) {
    if (!isApiError(error)) throw error;
    assert.ok(!JSON.stringify([error.message, error.detail]).includes(KEY), 'the key is in an error');
    return error.why === undefined ? [error.reason] : [error.reason, error.why];
  }
}

/** Collects rejections that nobody handled while the tests of a file run. */
export function watchRejections(): void {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  before(async () => {
    process.on('unhandledRejection', note);
    // Loading undici is no part of a call's time here.
    await import('../../../src/api/undici.ts');
  });
  afterEach(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(rejections.splice(0), []);
  });
  after(() => void process.off('unhandledRejection', note));
}
