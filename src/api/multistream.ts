import type { Named } from './types.ts';

/** A place to which broadcasts are also sent, such as a channel. The service never sends its URL, which is a secret. */
export interface MultistreamTarget {
  readonly id: string;
  /** '' if it has none. */
  readonly name: string;
  /** Nothing is sent to it then, on any stream. */
  readonly isDisabled: boolean;
  /** Unix time in milliseconds. */
  readonly createdAt?: number | undefined;
}

/** What a change of a target sets. */
export interface TargetPatch {
  readonly isDisabled?: boolean;
  readonly name?: string;
  /** With a stream key of another service: never log, show, or store it. */
  readonly url?: string;
}

/** A target of the account that a stream is to use. */
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
