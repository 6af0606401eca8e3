/**
 * From now on timers of this process that were to wait from `from` up to `to` milliseconds wait only `instead`: an hour of
 * looks passes in a minute, and whoever sets the timers knows nothing of it. What it returns ends that.
 */
export function compressTimers(from: number, to: number, instead: number): () => void {
  const { setTimeout: original } = globalThis;
  const compressed = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    original(run, ms >= from && ms <= to ? instead : ms, ...args);
  Object.assign(globalThis, { setTimeout: Object.assign(compressed, original) });
  return () => void Object.assign(globalThis, { setTimeout: original });
}
