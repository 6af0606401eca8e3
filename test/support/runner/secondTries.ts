import type { Counts } from './counts.ts';

/** How many failures of one run of the runner may be tried a second time. */
export interface SecondTries {
  /** True where all failures of a suite may be tried again; they are taken off what is left. */
  take(first: Counts): boolean;
}

export const NO_SECOND_TRIES: SecondTries = { take: () => false };

/**
 * For tests in a real editor, of which a machine that is busy elsewhere can make one late. Failures that are of no test, as
 * those of hooks, are never tried again.
 */
export function createSecondTries(atMost: number): SecondTries {
  let left = atMost;
  return {
    take({ failures }) {
      if (failures.length === 0 || failures.length > left || !failures.every(isOfTest)) return false;
      left -= failures.length;
      return true;
    },
  };
}

function isOfTest({ title, file }: Counts['failures'][number]): boolean {
  return file !== undefined && !/ "(before|after) (all|each)" hook/.test(title);
}
