import Mocha from 'mocha';
import { describeFailure } from './counts.ts';
import { tellResult } from './results.ts';

/** Mocha's spec reporter, which besides tells each result to the file that LIVE_STREAMS_RESULTS names. */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const about = (test: Mocha.Test) => ({ title: test.fullTitle(), file: test.file, ms: test.duration });
    runner.on('pass', (test) => tellResult({ kind: 'passed', ...about(test) }));
    runner.on('pending', (test) => tellResult({ kind: 'skipped', ...about(test) }));
    runner.on('fail', (test, error) => tellResult({ kind: 'failed', ...about(test), text: describeFailure(error) }));
    runner.once('end', () => tellResult({ kind: 'ended' }));
  }
}
