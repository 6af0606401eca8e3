import assert from 'node:assert/strict';
import { collectAll, heldBytes } from '../../bench/collectGarbage.ts';

/** What something cost this process beside its own work. */
interface RunCost {
  /** The longest time that this thread computed for before timers ran again. In ms, however busy the machine is with others. */
  readonly longestBlockMs: number;
  /** The most that was held at a time, garbage included. Relative to before, in bytes. */
  readonly peakBytes: number;
  /** What is still held once all garbage is collected. Relative to before, in bytes. */
  readonly keptBytes: number;
}

const MOST_BLOCK_MS = 200;
const MOST_BYTES = 64 * 1024 ** 2;
const TICK_MS = 2;

/** Runs it, and fails if it blocks this thread for more than 200 ms of CPU time, or takes more than 64 MB, for a moment or for good. */
export async function assertBounded<T>(run: () => Promise<T>): Promise<T> {
  const { result, cost } = await measureCost(run);
  assert.ok(cost.longestBlockMs < MOST_BLOCK_MS, `blocked for ${Math.round(cost.longestBlockMs)} ms`);
  assert.ok(cost.peakBytes < MOST_BYTES, `took ${Math.round(cost.peakBytes / 1024 ** 2)} MB`);
  assert.ok(cost.keptBytes < MOST_BYTES, `kept ${Math.round(cost.keptBytes / 1024 ** 2)} MB`);
  return result;
}

export async function measureCost<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly cost: RunCost }> {
  collectAll();
  const before = heldBytes();
  let longestBlockMs = 0;
  let peakBytes = 0;
  let last = process.threadCpuUsage();
  const tick = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    longestBlockMs = Math.max(longestBlockMs, (user + system) / 1000);
    const { heapUsed, external } = process.memoryUsage();
    peakBytes = Math.max(peakBytes, heapUsed + external - before);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(tick, TICK_MS);
  try {
    const result = await run();
    tick();
    clearInterval(timer);
    return { result, cost: { longestBlockMs, peakBytes, keptBytes: heldBytes() - before } };
  } finally {
    clearInterval(timer);
  }
}
