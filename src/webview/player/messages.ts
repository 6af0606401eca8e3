/** Messages between host and player. Types only, so that neither side imports code of the other. */
import type { MediaReply, MediaRequest } from '../../util/numberedUrl.ts';
import type { Tone } from '../messages.ts';

export interface Heading {
  readonly title: string;
  /** Date, duration, and state, in this order, after the stream of a clip. */
  readonly facts: readonly string[];
  /** The mark in front of the facts of a live stream, if they say that it's being recorded or unhealthy. */
  readonly tone?: Extract<Tone, 'recording' | 'warning'> | undefined;
  /** Shown only while it plays. */
  readonly note?: string;
  readonly isLive: boolean;
  /** Whether the service says that its broadcast has ended, although its end may still be playing. */
  readonly isOver?: boolean;
  /** What the user can do: the API key is rejected, another connection is open, or no data arrives. */
  readonly way?: 'setApiKey' | 'openOwnConnection' | 'checkStream';
  /** When a broadcast began, as Unix time in milliseconds, if that is known. */
  readonly beganAt?: number | undefined;
}

export interface Source {
  readonly kind: 'hls' | 'mp4';
  readonly isLive: boolean;
  /** Whether to play without a click. False for a page that VS Code restores with its window. */
  readonly startsItself: boolean;
  /** When a recording began, as Unix time in milliseconds, if that is known. */
  readonly beganAt?: number | undefined;
}

export type Problem =
  /** A sentence from the host, with details and the actions that help. `isRetried`: the host retries until it plays. */
  | {
      readonly kind: 'said';
      readonly sentence: string;
      readonly detail?: string;
      readonly actions: readonly Action[];
      readonly isRetried?: true;
    }
  | { readonly kind: 'opening' }
  /** The broadcast continues, but its playlist isn't there yet. The host retries. */
  | { readonly kind: 'unpublished' }
  /** `since`: when the broadcast ended, in milliseconds. */
  | { readonly kind: 'processing'; readonly looksAgain: boolean; readonly since: number | undefined }
  | ({ readonly kind: 'notLive' | 'ended' } & NotLive)
  /** `isRetried`: the host retries until it plays. */
  | {
      readonly kind: 'status' | 'segmentStatus';
      readonly status: number;
      readonly host: string;
      readonly isRetried?: true;
    }
  | { readonly kind: 'unreachable'; readonly sentence: string; readonly isRetried?: true }
  | { readonly kind: 'timeout' | 'truncatedSegment'; readonly isRetried?: true }
  | { readonly kind: 'refusedAddress'; readonly sentence: string }
  | { readonly kind: 'tooManyRedirects' }
  | { readonly kind: 'emptyPlaylist' | 'htmlPlaylist' | 'malformedPlaylist' | 'endlessPlaylist' }
  | { readonly kind: 'htmlMedia' | 'htmlSegment' | 'brokenSegment' | 'largeSegment' }
  | { readonly kind: 'foreignScheme'; readonly scheme: string }
  | { readonly kind: 'noHls' | 'pictureFormat' | 'soundFormat' | 'brokenFile' | 'stopped' };

export interface NotLive {
  readonly looksAgain: boolean;
  readonly hasRecording: boolean;
  /** Set while nothing can be broadcast to the stream. */
  readonly suspended?: { readonly canResume: boolean };
}

export type Action =
  | 'retry'
  | 'openInBrowser'
  | 'alwaysInBrowser'
  | 'copyAddress'
  | 'copyWithToken'
  | 'downloadMp4'
  | 'createClip'
  | 'copyClipUrl'
  | 'playMp4'
  | 'openRecording'
  | 'watchLive'
  | 'startTestBroadcast'
  | 'resumeStream'
  | 'showDetails'
  | 'checkStream'
  | 'setApiKey'
  | 'openOwnConnection'
  | 'switchConnection'
  | 'addConnection'
  | 'startDemo'
  | 'setAddress'
  | 'createSigningKey'
  | 'useSigningKey'
  | 'maximize';

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
  | ({ readonly kind: 'show'; readonly serial: number; readonly isForClip: boolean } & ShownPlayer)
  | { readonly kind: 'heading'; readonly heading: Heading }
  | { readonly kind: 'media'; readonly reply: MediaReply<MetProblem> }
  | ({ readonly kind: 'part' } & LoadedPart)
  /** Whether the page is visible. A page can't know: VS Code hides its frame. */
  | { readonly kind: 'visible'; readonly isVisible: boolean }
  /** Another player has the sound from now on. */
  | { readonly kind: 'yieldSound' }
  /** No visible player has the sound. If this one plays, it has the sound from now on. */
  | { readonly kind: 'takeSound' }
  /** Opens the bar for clips once part of what is shown has loaded, as does 'show' with `isForClip`. */
  | { readonly kind: 'openClipBar' }
  | ({ readonly kind: 'clip' } & ClipOutcome)
  | { readonly kind: 'clipProgress'; readonly order: number; readonly progress: number };

/** The outcome of a clip that the page ordered. */
export interface ClipOutcome {
  readonly order: number;
  readonly isMade: boolean;
  /** Set if nothing else says that the clip was created. */
  readonly name?: string;
  /** Why it wasn't created, if nothing else says so. */
  readonly problem?: ClipProblem;
}

export interface ClipProblem {
  readonly sentence: string;
  /** Whether the service rejects the API key. */
  readonly needsKey: boolean;
}

/** A clip to create. Unix times in milliseconds: of its first frame, and of the end of its last one. */
export interface ClipCut {
  /** The page's own number for it. */
  readonly order: number;
  readonly startTime: number;
  readonly endTime: number;
  /** Empty for none. */
  readonly name: string;
}

/** Code that a page loads only if needed: the MP4 reader and the AAC decoder. */
export type PagePart = 'mp4' | 'sound';

export interface LoadedPart {
  readonly part: PagePart;
  /** The script of a worker; undefined if it couldn't be read. */
  readonly script: string | undefined;
  /** WebAssembly that the script runs, if it does. */
  readonly wasm?: ArrayBuffer;
}

/** Problems of playback, which the page reports. */
export type MetProblem = Exclude<
  Problem,
  { readonly kind: 'said' | 'opening' | 'unpublished' | 'processing' | 'notLive' | 'ended' }
>;

export type FromPlayer =
  | { readonly kind: 'act'; readonly action: Action }
  /** The same for the last clip that was created from the page. */
  | { readonly kind: 'actOnMade'; readonly action: Action }
  /** `position` is in seconds. */
  | { readonly kind: 'frame'; readonly png: Uint8Array; readonly position: number }
  | { readonly kind: 'createClip'; readonly clip: ClipCut }
  | { readonly kind: 'failed'; readonly problem: MetProblem; readonly serial: number }
  /**
   * A broadcast or a recording has ended. `hasPlayed`: false if its playlist was complete from the start, so that
   * nothing was played.
   */
  | { readonly kind: 'ended'; readonly serial: number; readonly hasPlayed: boolean }
  | { readonly kind: 'requestMedia'; readonly serial: number; readonly request: MediaRequest }
  | { readonly kind: 'cancelMedia'; readonly id: number }
  | { readonly kind: 'requestPart'; readonly part: PagePart }
  /** The page can't decode AAC; `reason` is for a log. The video continues without sound. */
  | { readonly kind: 'soundFailed'; readonly reason: string }
  /** When what is shown was broadcast, as Unix time in milliseconds. Sent every second, and after each seek. */
  | { readonly kind: 'watched'; readonly date: number }
  /** Playback has started, or is paused or over. */
  | { readonly kind: 'playing'; readonly isPlaying: boolean }
  /** An event of the video. */
  | { readonly kind: 'enterpictureinpicture' | 'leavepictureinpicture' }
  /** The player plays with sound, or the user interacted with it: the others should be silent. */
  | { readonly kind: 'tookSound' };
