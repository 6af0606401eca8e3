import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Collects all garbage, now. */
export function collectGarbage(): void {
  if (typeof collect !== 'function') throw new Error('This Node has no gc()');
  collect();
}

/** Bytes of this thread's heap that are in use after all garbage is gone. */
export function usedHeap(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
