import type { Named } from './types.ts';

/** A destination to which broadcasts are also sent, such as a channel. The service never sends its URL: a secret. */
export interface MultistreamTarget {
  readonly id: string;
  /** '' if it has none. */
  readonly name: string;
  /** Whether nothing is sent to it, from any stream. */
  readonly isDisabled: boolean;
  /** Unix time in milliseconds. */
  readonly createdAt?: number | undefined;
}

/** The fields that a change of a target can set. */
export interface TargetPatch {
  readonly isDisabled?: boolean;
  readonly name?: string;
  /** With a stream key of another service: never log, show, or store it. */
  readonly url?: string;
}

/** A target of the account for a stream to use. */
export interface ReusedTarget extends Named {
  readonly profile: string;
}

/** A target of one stream that is to be created. */
export interface NewTarget {
  readonly name: string;
  /** With a stream key of another service: never log, show, or store it. */
  readonly url: string;
  /** The name of one of the stream's renditions, or "source". */
  readonly profile: string;
}
