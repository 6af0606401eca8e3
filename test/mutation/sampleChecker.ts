import { relative } from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { inProject } from '../support/projectFolder.ts';
import { isInSample, readMutation, type Sample } from './mutationOptions.ts';

/** Passes the mutants that are in the sample; the others count as mutants that do not compile, which no score counts. */
class SampleChecker implements Checker {
  static readonly inject = tokens(commonTokens.options);
  readonly #sample: Sample;

  constructor(options: StrykerOptions) {
    this.#sample = readMutation(options).sample;
  }

  async init(): Promise<void> {}

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#resultOf(mutant)]));
  }

  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)];
  }

  #resultOf({ fileName, mutatorName: mutator, replacement, location }: Mutant): CheckResult {
    const file = relative(inProject(), fileName);
    const isIn = isInSample({ file, mutator, replacement, ...location.start }, this.#sample);
    if (isIn) return { status: CheckStatus.Passed };
    return { status: CheckStatus.CompileError, reason: 'Not in the sample' };
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];
