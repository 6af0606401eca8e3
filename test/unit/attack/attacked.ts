import assert from 'node:assert/strict';
import { isApiError } from '../../../src/api/errors.ts';
import { StreamApi } from '../../../src/api/streamApi.ts';
import type { Clock } from '../../../src/services.ts';
import { createPatientClock } from '../../support/model/testClock.ts';
import { type CLIENTS, createClient } from '../../support/service/clients.ts';
import { type FaultService, startFaultService } from '../../support/service/faultService.ts';
import { recordingLog, until } from '../api/support.ts';
import { type Endpoint, goodReply } from './endpoints.ts';
import type { FaultCase, Outcome } from './faults.ts';

/** For a whole call, retries included. */
export const TIMEOUT_MS = 500;
/** What a machine that is busy may add. */
export const PATIENCE_MS = 1500;
export const KEY = 'the-api-key-0123456789';

/** A patient clock that knows what it still has to do. */
export function countingClock(): Clock & { readonly timers: number } {
  const clock = createPatientClock();
  let timers = 0;
  return {
    get timers() {
      return timers;
    },
    now: clock.now,
    elapsed: clock.elapsed,
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
  readonly client: (typeof CLIENTS)[number];
  readonly timeoutMs: number;
  /** Ends everything, and fails when something is left behind. */
  end(): Promise<void>;
}

interface AttackOptions {
  readonly timeoutMs?: number;
  readonly url?: string;
  readonly client?: (typeof CLIENTS)[number];
}

export async function attack(options: AttackOptions = {}): Promise<Attacked> {
  const { timeoutMs = TIMEOUT_MS, client = 'undici' } = options;
  const service = await startFaultService(goodReply);
  const clock = countingClock();
  const log = recordingLog();
  // Below what Math.random gives, so that retries come at once.
  const shared = { settings: () => ({ timeoutMs }), clock, log, random: () => -0.45 };
  const transport = createClient(client, shared);
  const api = new StreamApi({ baseUrl: options.url ?? service.url, apiKey: KEY, transport, clock, log });
  return {
    ...{ service, api, clock, client, timeoutMs, log: log.lines },
    async end() {
      assert.equal(clock.timers, 0, 'timers');
      await until(() => service.waiting.size === 0);
      transport.dispose();
      // Connections that are kept for the next call are the editor's own there.
      if (client === 'undici') await until(() => service.sockets.size === 0);
      await service.close();
      assert.ok(!log.lines.join().includes(KEY), 'the key is in the log');
    },
  };
}

/** Calls an endpoint, and fails unless it comes to this in time. */
export async function meets(
  { api, clock, log, client, timeoutMs }: Attacked,
  endpoint: Endpoint,
  { name, ...fault }: FaultCase,
): Promise<void> {
  const outcome = client === 'editor' ? (fault.editor ?? fault.outcome) : fault.outcome;
  const expected = isByReading(outcome) ? outcome[endpoint.reading] : outcome;
  const startedAt = clock.elapsed();
  const { value, ...actual } = await resultOf(endpoint.call(api));
  const took = clock.elapsed() - startedAt;
  assert.deepEqual(actual.outcome, expected, `${endpoint.name}, after\n${log.slice(-6).join('\n')}`);
  // An answer that is taken for right is the good one, to the field.
  if (outcome === 'ok') assert.deepEqual(gistOf(value), goodGist(endpoint, name), endpoint.name);
  assert.ok(took < timeoutMs + PATIENCE_MS, `${endpoint.name} took ${Math.round(took)} ms`);
}

function isByReading(outcome: FaultCase['outcome']): outcome is Exclude<FaultCase['outcome'], Outcome> {
  return typeof outcome === 'object' && !Array.isArray(outcome);
}

/** Fails unless each change was asked for once, whatever became of it, and each reading three times at most. */
export function assertAskedFor({ service: { requests } }: Attacked, endpoints: readonly Endpoint[]): void {
  const [readings, changes] = [true, false].map((isRepeated) =>
    endpoints.filter((each) => each.isRepeated === isRepeated),
  );
  const asked = requests.map(({ method, path }) => `${method} ${path}`);
  const changed = asked.filter((line) => !line.startsWith('GET '));
  assert.equal(changed.length, changes?.length, changed.join('\n'));
  assert.equal(new Set(changed).size, changed.length, 'each once');
  const read = asked.length - changed.length;
  const { length } = readings ?? [];
  assert.ok(read >= length && read <= 3 * length, `${read} requests for ${length} readings:\n${asked.join('\n')}`);
}

/** What a call came to. Anything but an answer or an ApiError is thrown on. */
export async function outcomeOf(calling: Promise<unknown>): Promise<Outcome> {
  return (await resultOf(calling)).outcome;
}

interface Result {
  readonly outcome: Outcome;
  /** What was answered. */
  readonly value?: unknown;
  /** Epoch ms: when to ask again, as an error says it. */
  readonly retryAt?: number | undefined;
}

export async function resultOf(calling: Promise<unknown>): Promise<Result> {
  try {
    return { outcome: 'ok', value: await calling };
  } catch (error) {
    if (!isApiError(error)) throw error;
    assert.ok(!JSON.stringify([error.message, error.detail]).includes(KEY), 'the key is in an error');
    const { reason, why, retryAt } = error;
    return { outcome: why === undefined ? [reason] : [reason, why], retryAt };
  }
}

type Gist = { readonly id: unknown; readonly name: unknown; readonly isActive: unknown } | undefined;

/** The first thing with an id in what was answered: of a list, of a page, of what was read. */
function gistOf(value: unknown): Gist {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('id' in value) {
    const [id, name, isActive] = ['id', 'name', 'isActive'].map((key): unknown => Reflect.get(value, key));
    return { id, name, isActive };
  }
  return Object.values(value)
    .map(gistOf)
    .find((gist) => gist !== undefined);
}

function goodGist({ row }: Endpoint, name: string | undefined): Gist {
  return row && { ...row, name: row.name && (name ?? row.name) };
}

/** Collects rejections that nobody handled while the tests of a file run. */
export function watchRejections(): void {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  before(async () => {
    process.on('unhandledRejection', note);
    // Loading undici is no part of a call's time here.
    await import('../../../src/api/transport/undici.ts');
  });
  afterEach(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(rejections.splice(0), []);
  });
  after(() => void process.off('unhandledRejection', note));
}
