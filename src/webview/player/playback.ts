import type { MetProblem } from './messages.ts';

export interface Playback {
  /** Best first; empty if there is no choice. */
  qualities(): readonly Quality[];
  /** The chosen index; undefined for automatic. */
  quality(): number | undefined;
  setQuality(index: number | undefined): void;
  /** Seconds behind the live edge; undefined if not live. */
  behindLive(): number | undefined;
  goLive(): void;
  dispose(): void;
}

export interface Quality {
  readonly index: number;
  readonly label: string;
}

export interface PlaybackEvents {
  readonly onFailed: (problem: MetProblem) => void;
  /** Playback is being retried; undefined when it continues. */
  readonly onTrouble: (problem: MetProblem | undefined) => void;
  readonly onQualities: () => void;
  /** The sound is AAC, which this editor can't decode. Only the picture plays. */
  readonly onNoSound: () => void;
}
