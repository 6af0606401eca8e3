import assert from 'node:assert/strict';
import { describeFailure } from './counts.ts';

/**
 * Root hooks for mocha: a run fails in which nobody handled a rejection. Mocha itself hands them on to whoever listens, and
 * is content where nobody does.
 * @param handledWithinMs so late may one be handled that was noted last
 */
export function createRejectionHooks(handledWithinMs: number): Mocha.RootHookObject {
  const rejected = new Map<Promise<unknown>, string>();
  let running = '';
  const note = (reason: unknown, promise: Promise<unknown>) => {
    // The editor cancels things of its own all the time.
    if (reason instanceof Error && reason.name === 'Canceled') return;
    rejected.set(promise, `During "${running}": ${describeFailure(reason)}`);
  };
  const forget = (promise: Promise<unknown>) => rejected.delete(promise);
  return {
    beforeAll() {
      rejected.clear();
      // Each by itself: in an extension host these functions return nothing.
      process.on('unhandledRejection', note);
      process.on('rejectionHandled', forget);
    },
    beforeEach(this: Mocha.Context) {
      running = this.currentTest?.fullTitle() ?? '';
    },
    async afterAll() {
      await new Promise((resolve) => setTimeout(resolve, handledWithinMs));
      process.off('unhandledRejection', note);
      process.off('rejectionHandled', forget);
      assert.deepEqual([...rejected.values()], [], 'Nobody handled a rejection');
    },
  };
}

/** For mocha's --require. */
export const mochaHooks = createRejectionHooks(0);
