import type { MetProblem } from './messages.ts';

/** What plays: HLS or a file. */
export interface Playback {
  /** From the best to the least; empty where there is nothing to choose. */
  qualities(): readonly Quality[];
  /** The chosen one; undefined = by itself. */
  quality(): number | undefined;
  setQuality(index: number | undefined): void;
  /** Seconds behind the newest that can be played; undefined where it is not live. */
  behindLive(): number | undefined;
  goLive(): void;
  dispose(): void;
}

export interface Quality {
  readonly index: number;
  readonly label: string;
}

export interface PlaybackEvents {
  /** It cannot go on. */
  readonly onFailed: (problem: MetProblem) => void;
  /** It tries again by itself; undefined when it goes on. */
  readonly onTrouble: (problem: MetProblem | undefined) => void;
  readonly onQualities: () => void;
  /** The sound is AAC, which this editor cannot decode: the picture plays alone. */
  readonly onNoSound: () => void;
}
