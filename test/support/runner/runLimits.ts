import { statSync } from 'node:fs';

export interface RunLimits {
  /** For the whole run, which is ended then. */
  readonly limitMs: number;
  /** A run that tells no result for so long hangs, and is ended. */
  readonly quietMs: number;
}

interface RunWatch {
  /** Rejects when the run has taken too long. */
  readonly overdue: Promise<never>;
  dispose(): void;
}

const LOOK_EVERY_MS = 250;

/** Watches a run by the file that its results are written to. */
export function watchRun(resultsFile: string, { limitMs, quietMs }: RunLimits): RunWatch {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined); // whoever has its results already listens no more
  const began = performance.now();
  let size = 0;
  let grewAt = began;
  const timer = setInterval(() => {
    const now = performance.now();
    const sizeNow = statSync(resultsFile, { throwIfNoEntry: false })?.size ?? 0;
    if (sizeNow !== size) [size, grewAt] = [sizeNow, now];
    if (now - began > limitMs) reject(new Error(`It did not come to an end in ${limitMs / 1000} s`));
    else if (now - grewAt > quietMs) reject(new Error(`It hangs: no test came to an end in ${quietMs / 1000} s`));
  }, LOOK_EVERY_MS);
  return { overdue: promise, dispose: () => clearInterval(timer) };
}
