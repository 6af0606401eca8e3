import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { type Counts, describeFailure, type Failure } from './counts.ts';

/** Mocha's spec reporter, which besides writes the counts to the file that LIVE_STREAMS_COUNTS names. */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const failures: Failure[] = [];
    runner.on('fail', (test, error) => {
      failures.push({ title: test.fullTitle(), text: describeFailure(error), file: test.file });
    });
    runner.once('end', () => {
      const file = process.env.LIVE_STREAMS_COUNTS;
      if (file === undefined) return;
      const { passes, pending } = this.stats;
      // counted here: the stats' own count misses a failure that is reported after the end of its test
      const counts: Counts = { passed: passes, failed: failures.length, pending, failures };
      writeFileSync(file, JSON.stringify(counts));
    });
  }
}
