/** What host and player say to each other. Types alone: neither takes code from the other. */

/** What stands above the picture. */
export interface Heading {
  readonly title: string;
  /** Date, duration, state: in words, in this order. */
  readonly facts: readonly string[];
  readonly isLive: boolean;
}

/** Something to play. */
export interface Source {
  readonly kind: 'hls' | 'mp4';
  /** The same thing by one or two addresses: the first that answers is taken. */
  readonly urls: readonly string[];
  readonly isLive: boolean;
  /** What the policy lets through, for a sentence when something else is named. */
  readonly origins: readonly string[];
  /** Begin by itself? Not what comes back with the window. */
  readonly startsItself: boolean;
}

/** Why there is no picture, or what hinders it. The page says each in words. */
export type Problem =
  /** In the host's words; `action` is what works. */
  | { readonly kind: 'said'; readonly sentence: string; readonly actions: readonly Action[] }
  | { readonly kind: 'opening' }
  | { readonly kind: 'processing'; readonly looksAgain: boolean }
  | { readonly kind: 'notLive'; readonly looksAgain: boolean; readonly hasRecording: boolean }
  | { readonly kind: 'ended'; readonly hasRecording: boolean }
  | { readonly kind: 'status'; readonly status: number; readonly host: string }
  | { readonly kind: 'segmentStatus'; readonly status: number; readonly host: string }
  | { readonly kind: 'unreachable'; readonly sentence: string }
  | { readonly kind: 'refusedAddress'; readonly sentence: string }
  | { readonly kind: 'tooManyRedirects' }
  | { readonly kind: 'emptyPlaylist' | 'htmlPlaylist' | 'malformedPlaylist' | 'endlessPlaylist' }
  | { readonly kind: 'htmlMedia' | 'htmlSegment' | 'truncatedSegment' | 'brokenSegment' }
  | { readonly kind: 'foreignScheme'; readonly scheme: string }
  | { readonly kind: 'foreignOrigin'; readonly origin: string }
  | { readonly kind: 'network' | 'timeout' | 'foreignRedirect'; readonly host: string }
  | { readonly kind: 'noHls' | 'pictureFormat' | 'soundFormat' | 'brokenFile' | 'stopped' };

/** What the person can have done. Names of `problemTexts` stand on the buttons. */
export type Action =
  | 'retry'
  | 'openInBrowser'
  | 'alwaysInBrowser'
  | 'copyAddress'
  | 'downloadMp4'
  | 'playMp4'
  | 'openRecording'
  | 'watchLive'
  | 'setApiKey'
  | 'switchConnection'
  | 'addConnection'
  | 'startDemo'
  | 'setAddress'
  | 'maximise';

/** All that a page shows. */
export interface Shown {
  readonly heading: Heading;
  readonly source: Source | undefined;
  readonly problem: Problem | undefined;
  /** What there is to press, beyond what belongs to a problem. */
  readonly offers: readonly Action[];
  /** There is an MP4 too, for where HLS cannot be played. */
  readonly hasFile: boolean;
}

/** The serial number tells one thing shown from the next: the same may be sent twice, and is shown once. */
export type ToPlayer =
  | ({ readonly kind: 'show'; readonly serial: number } & Shown)
  | { readonly kind: 'heading'; readonly heading: Heading };

/** What the page itself meets; all else is the host's to find out. */
export type MetProblem = Exclude<
  Problem,
  | { readonly kind: 'said' | 'opening' | 'processing' | 'notLive' | 'ended' }
  | { readonly kind: 'unreachable' | 'refusedAddress' | 'tooManyRedirects' }
>;

export type FromPlayer =
  | { readonly kind: 'act'; readonly action: Action }
  /** A PNG of the picture at `position` seconds. */
  | { readonly kind: 'frame'; readonly png: Uint8Array; readonly position: number }
  /** What was shown with this number cannot go on. */
  | { readonly kind: 'failed'; readonly problem: MetProblem; readonly serial: number }
  /** A broadcast came to its end. */
  | { readonly kind: 'ended'; readonly serial: number };
