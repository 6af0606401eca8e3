import assert from 'node:assert/strict';
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectAll, heldBytes } from '../../bench/collectGarbage.ts';

/** What something cost this process beside its own work. */
interface RunCost {
  /**
   * The longest time that this thread computed for before timers ran again, in ms: however busy the machine is with
   * others, and without collecting the garbage of the process, which grows with what all other tests hold.
   */
  readonly longestBlockMs: number;
  /**
   * The most that was held at a time, relative to before, in bytes. Garbage counts up to the bound alone: how long it is
   * left lying depends on how much all other tests in this process hold.
   */
  readonly peakBytes: number;
  /** What is still held once all garbage is collected. Relative to before, in bytes. */
  readonly keptBytes: number;
}

// What grows too fast takes seconds. Less can't be told from a core that is shared, which makes the same work take twice the CPU time.
const MOST_BLOCK_MS = 500;
const MOST_BYTES = 64 * 1024 ** 2;
const TICK_MS = 2;

/** Runs it, and fails if it blocks this thread for more than 500 ms of CPU time, or takes more than 64 MB, for a moment or for good. */
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
  const pauses: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => void pauses.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const blocks: Block[] = [];
  let peakBytes = 0;
  let last = { cpu: process.threadCpuUsage(), time: performance.now() };
  const tick = (): void => {
    const { user, system } = process.threadCpuUsage(last.cpu);
    blocks.push({ start: last.time, end: performance.now(), ms: (user + system) / 1000 });
    const { heapUsed, external } = process.memoryUsage();
    const bytes = heapUsed + external - before;
    peakBytes = Math.max(peakBytes, bytes < MOST_BYTES ? bytes : heldBytes() - before);
    last = { cpu: process.threadCpuUsage(), time: performance.now() };
  };
  const timer = setInterval(tick, TICK_MS);
  try {
    const result = await run();
    tick();
    clearInterval(timer);
    // Pauses are told of a turn later.
    await nextTurn();
    pauses.push(...observer.takeRecords());
    const longestBlockMs = Math.max(...blocks.map((block) => block.ms - pausedIn(block, pauses)));
    return { result, cost: { longestBlockMs, peakBytes, keptBytes: heldBytes() - before } };
  } finally {
    clearInterval(timer);
    observer.disconnect();
  }
}

interface Block {
  readonly start: number;
  readonly end: number;
  /** Of CPU time. */
  readonly ms: number;
}

function pausedIn({ start, end }: Block, pauses: readonly PerformanceEntry[]): number {
  const within = pauses.filter(({ startTime }) => startTime >= start && startTime < end);
  return within.reduce((sum, { duration }) => sum + duration, 0);
}
