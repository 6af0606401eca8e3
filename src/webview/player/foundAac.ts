/** What was found in a part of a stream. */
export interface FoundAac {
  /** Whether there was AAC, which is now left out. */
  readonly hasAac: boolean;
  /** Whether the AAC was all that could be played. */
  readonly isAlone: boolean;
}

export const NO_AAC: FoundAac = { hasAac: false, isAlone: false };
