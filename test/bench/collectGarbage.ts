import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Collects all garbage, now. */
export function collectGarbage(): void {
  if (typeof collect !== 'function') throw new Error('This Node has no gc()');
  collect();
}

/** Collects also what collecting has let go, which is counted until then. */
export function collectAll(): void {
  collectGarbage();
  collectGarbage();
}

/** Bytes of this thread's heap that are in use after all garbage is gone. */
export function usedHeap(): number {
  collectAll();
  return process.memoryUsage().heapUsed;
}

/** Bytes that this process holds in its heap and in buffers after all garbage is gone. */
export function heldBytes(): number {
  collectAll();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
