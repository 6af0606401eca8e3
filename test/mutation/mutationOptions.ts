import { createHash } from 'node:crypto';
import type { PartialStrykerOptions, StrykerOptions } from '@stryker-mutator/api/core';

/** Which tests are run on which mutants. */
interface Mutation {
  readonly tests: readonly string[];
  /** Patterns of tests that are not run. */
  readonly withoutTests: readonly string[];
  readonly sample: Sample;
}

/** StrykerJS hands on options that it does not know. */
export type MutationOptions = PartialStrykerOptions & { readonly mutation: Mutation };

export function readMutation(options: StrykerOptions): Mutation {
  return options.mutation as Mutation;
}

/** One in `every` of the mutants, another one for each seed. */
export interface Sample {
  readonly seed: number;
  readonly every: number;
}

interface MutantPlace {
  /** From the project's folder. */
  readonly file: string;
  readonly mutator: string;
  readonly replacement: string;
  /** Counted from 0. */
  readonly line: number;
  readonly column: number;
}

/** Is the mutant in the sample? By what it is and where it stands alone. */
export function isInSample(
  { file, mutator, replacement, line, column }: MutantPlace,
  { seed, every }: Sample,
): boolean {
  const text = `${seed} ${mutator} ${replacement} ${line} ${column} ${file}`;
  return createHash('sha1').update(text).digest().readUInt32BE(0) % every === 0;
}
