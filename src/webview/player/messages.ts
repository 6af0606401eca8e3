/** What host and player's page say to each other. Types alone: neither takes code from the other. */

/** What is kept over a reload. */
export interface KeptState {
  readonly connection: string;
  readonly kind: 'stream' | 'session';
  readonly id: string;
  readonly position: number;
}

/** Written into the page's HTML. */
export interface PageData {
  /** Which of the panel's pages this is; it stands in every message of the page. */
  readonly page: number;
  readonly subject: Omit<KeptState, 'position'>;
  /** Texts of the display language, for `config` of @vscode/l10n; null for English. */
  readonly texts: Readonly<Record<string, string | { readonly message: string; readonly comment: string[] }>> | null;
}

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
  | { readonly kind: 'tooManyRedirects' | 'emptyPlaylist' | 'htmlPlaylist' | 'malformedPlaylist' | 'endlessPlaylist' }
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
}

/** The serial number tells one thing shown from the next: the same may be sent twice, and is shown once. */
export type ToPage =
  | ({ readonly kind: 'show'; readonly serial: number } & Shown)
  | { readonly kind: 'heading'; readonly heading: Heading };

export type FromPage = { readonly page: number } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'act'; readonly action: Action }
  /** A PNG of the picture at `position` seconds. */
  | { readonly kind: 'frame'; readonly png: Uint8Array; readonly position: number }
  /** The page cannot go on. */
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** A broadcast came to its end. */
  | { readonly kind: 'ended' }
);
