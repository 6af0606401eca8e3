/** Messages between host and player. Types only, so that neither side imports code of the other. */

export interface Heading {
  readonly title: string;
  /** Date, duration and state, in this order. */
  readonly facts: readonly string[];
  readonly isLive: boolean;
}

export interface Source {
  readonly kind: 'hls' | 'mp4';
  /** One or two addresses of the same media. The first that responds is used. */
  readonly urls: readonly string[];
  readonly isLive: boolean;
  /** Origins that the page's policy allows, so that other origins can be explained. */
  readonly origins: readonly string[];
  /** Whether to play without a click. False for a page that VS Code restores with its window. */
  readonly startsItself: boolean;
}

export type Problem =
  /** A sentence of the host, with the actions that help. */
  | { readonly kind: 'said'; readonly sentence: string; readonly actions: readonly Action[] }
  | { readonly kind: 'opening' }
  /** `since`: when the broadcast ended, in milliseconds. */
  | { readonly kind: 'processing'; readonly looksAgain: boolean; readonly since: number | undefined }
  | { readonly kind: 'notLive'; readonly looksAgain: boolean; readonly hasRecording: boolean }
  | { readonly kind: 'ended'; readonly looksAgain: boolean; readonly hasRecording: boolean }
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

export type Action =
  | 'retry'
  | 'openInBrowser'
  | 'alwaysInBrowser'
  | 'copyAddress'
  | 'downloadMp4'
  | 'playMp4'
  | 'openRecording'
  | 'watchLive'
  | 'startTestBroadcast'
  | 'showDetails'
  | 'setApiKey'
  | 'switchConnection'
  | 'addConnection'
  | 'startDemo'
  | 'setAddress'
  | 'maximise';

export interface ShownPlayer {
  readonly heading: Heading;
  readonly source: Source | undefined;
  readonly problem: Problem | undefined;
  readonly offers: readonly Action[];
  /** Whether there is an MP4 too, if the recording isn't there as HLS or the browser can't play it. */
  readonly hasFile: boolean;
}

/** A message may be sent twice. Messages with the same serial are shown once. */
export type ToPlayer =
  | ({ readonly kind: 'show'; readonly serial: number } & ShownPlayer)
  | { readonly kind: 'heading'; readonly heading: Heading }
  /** Another player has the sound from now on. */
  | { readonly kind: 'yieldSound' };

/** Problems that the page detects. All others are detected by the host. */
export type MetProblem = Exclude<
  Problem,
  | { readonly kind: 'said' | 'opening' | 'processing' | 'notLive' | 'ended' }
  | { readonly kind: 'unreachable' | 'refusedAddress' | 'tooManyRedirects' }
>;

export type FromPlayer =
  | { readonly kind: 'act'; readonly action: Action }
  /** `position` is in seconds. */
  | { readonly kind: 'frame'; readonly png: Uint8Array; readonly position: number }
  | { readonly kind: 'failed'; readonly problem: MetProblem; readonly serial: number }
  | { readonly kind: 'ended'; readonly serial: number }
  /** It plays with sound, or the user worked it: the others are to be silent. */
  | { readonly kind: 'tookSound' };
