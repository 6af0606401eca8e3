import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { InstrumenterContext, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type CompleteDryRunResult,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import Mocha from 'mocha';
import { readMutation } from './mutationOptions.ts';

type Context = { -readonly [Key in keyof InstrumenterContext]: InstrumenterContext[Key] | undefined };

/** Above the suite's, because the code counts which mutants it meets. */
const TEST_TIMEOUT_MS = 30_000;

/**
 * Runs the unit tests for StrykerJS, whose own runner for Mocha (10.0.0) requires a file of Mocha's that Mocha 12 renamed.
 * Test files are loaded once, so that tests run again and again in one process: one that cannot is left out.
 */
class MochaTestRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  readonly #mocha = new Mocha({ timeout: TEST_TIMEOUT_MS, reporter: class {} as unknown as Mocha.ReporterConstructor });
  readonly #context = sharedContext();
  #isCounting = false;
  #isLoaded = false;

  constructor(options: StrykerOptions) {
    const mutation = readMutation(options);
    const context = this.#context;
    this.#mocha.cleanReferencesAfterRun(false);
    for (const file of globSync(mutation.tests, { exclude: mutation.withoutTests }).sort()) {
      this.#mocha.addFile(resolve(file));
    }
    const isCounting = () => this.#isCounting;
    this.#mocha.suite.beforeEach(function () {
      if (isCounting() && this.currentTest !== undefined) context.currentTestId = this.currentTest.fullTitle();
    });
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  /** Twice: a test that fails without a mutant, at first or again, says nothing about mutants. */
  async dryRun(): Promise<DryRunResult> {
    this.#isCounting = true;
    const first = await this.#run(true);
    this.#isCounting = false;
    const mutantCoverage = structuredClone(this.#context.mutantCoverage);
    const again = await this.#run(true);
    const unfit = new Set([...first.tests, ...again.tests].filter(isFailed).map(({ name }) => name));
    for (const name of unfit) console.error(`Left out, because it fails without a mutant: ${name}`);
    const tests = first.tests.filter(({ name }) => !unfit.has(name));
    return { ...first, tests, ...(mutantCoverage !== undefined && { mutantCoverage }) };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter = [], disableBail, hitLimit } = options;
    const context = this.#context;
    context.hitLimit = hitLimit;
    context.hitCount = hitLimit === undefined ? undefined : 0;
    const titles = new Set(testFilter);
    this.#mocha.grep({ test: (title: string) => titles.has(title) } as RegExp);
    context.activeMutant = activeMutant.id;
    try {
      const result = await this.#run(disableBail);
      return toMutantRunResult(determineHitLimitReached(context.hitCount, hitLimit) ?? result);
    } finally {
      context.activeMutant = undefined;
    }
  }

  async #run(isWhole: boolean): Promise<CompleteDryRunResult> {
    if (!this.#isLoaded) await this.#mocha.loadFilesAsync();
    this.#isLoaded = true;
    setBail(this.#mocha.suite, !isWhole);
    const tests: TestResult[] = [];
    let before = performance.now();
    const took = () => {
      const timeSpentMs = performance.now() - before;
      before += timeSpentMs;
      return timeSpentMs;
    };
    await new Promise<void>((done) => {
      const running = this.#mocha.run(() => done());
      running.on('pass', (test) => {
        const name = test.fullTitle();
        tests.push({ id: name, name, status: TestStatus.Success, timeSpentMs: took() });
      });
      running.on('fail', (test, error) => {
        const name = test.ctx?.currentTest?.fullTitle() ?? test.fullTitle();
        const failureMessage = String(error.message);
        tests.push({ id: name, name, status: TestStatus.Failed, timeSpentMs: took(), failureMessage });
      });
    });
    return { status: DryRunStatus.Complete, tests };
  }
}

function isFailed({ status }: TestResult): boolean {
  return status === TestStatus.Failed;
}

function setBail(suite: Mocha.Suite, bail: boolean): void {
  suite.bail(bail);
  for (const each of suite.suites) setBail(each, bail);
}

/** What the code with the mutants in it reads and writes. */
function sharedContext(): Context {
  const shared: typeof globalThis & { __stryker__?: Context } = globalThis;
  shared.__stryker__ ??= {};
  return shared.__stryker__;
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'mocha-here', MochaTestRunner)];
