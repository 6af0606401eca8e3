import type { Place } from './mediaDates.ts';
import type { MetProblem } from './messages.ts';

export interface Playback {
  /** Best first; empty if there is no choice. */
  qualities(): readonly Quality[];
  setQuality(index: number | undefined): void;
  /** Seconds behind the live edge; undefined if not live. */
  behindLive(): number | undefined;
  /** Where the part of a live stream that can be played begins, in seconds; undefined if not live. */
  liveStart(): number | undefined;
  /**
   * How far back a live stream can be played, in seconds, according to its playlist alone: doesn't change while the
   * listed part is played. undefined if not live.
   */
  liveReach(): number | undefined;
  /** When what is shown at a position happened, as Unix time in milliseconds; undefined if that isn't known. */
  dateAt(position: number): number | undefined;
  /** The reverse of `dateAt`. */
  positionOf(date: number): number | undefined;
  /** Which moment of a broadcast is shown; undefined if not live, or if nothing is shown. */
  place(): Place | undefined;
  measured(): Measured;
  goLive(): void;
  /** Whether to load ahead. Turned off while the player is neither seen nor heard. */
  setLoading(isOn: boolean): void;
  dispose(): void;
}

/** Measurements of what is loaded; any may be missing. */
export interface Measured {
  /** Its rendition and bit rate: "360p · 1.2 Mbps". */
  readonly quality?: string | undefined;
  /** As in RFC 6381: "avc1.4d401e, mp4a.40.2". */
  readonly codecs?: string | undefined;
  /** How fast media arrive, in bits per second. */
  readonly bandwidth?: number | undefined;
  /**
   * For a broadcast, in seconds: how long ago what is shown was sent, if the playlist has dates. Otherwise, how far
   * it's behind the end of the playlist.
   */
  readonly latency?: number | undefined;
}

export interface Quality {
  readonly index: number;
  readonly label: string;
}

export interface PlaybackEvents {
  readonly onFailed: (problem: MetProblem) => void;
  /** The playlist of a live stream is complete: it would play from its beginning, as if it were live. */
  readonly onOver: () => void;
  /** Playback is being retried; undefined when it continues. */
  readonly onTrouble: (problem: MetProblem | undefined) => void;
  readonly onQualities: () => void;
  /** The sound has a codec that this editor can't decode. Only the video plays. */
  readonly onNoSound: (codec: string) => void;
  /**
   * The page can't decode the sound. The reason is for a log; undefined if the decoder could not be read. Playback has
   * to start again without sound.
   */
  readonly onSoundFailed: (reason: string | undefined) => void;
}

interface Muteable {
  muted: boolean;
  addEventListener(type: 'volumechange', listener: () => void): void;
}

/** Mutes the video while the browser blocks sound until the user clicks. Sound that the user turned off stays off. */
export class HeldSound {
  readonly #video: Muteable;
  #isHeld = false;

  /** @param onFree called when the sound is on again, whether through `free` or the video's own controls */
  constructor(video: Muteable, onFree: () => void) {
    this.#video = video;
    video.addEventListener('volumechange', () => {
      if (!this.#isHeld || video.muted) return;
      this.#isHeld = false;
      onFree();
    });
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  hold(): void {
    if (this.#video.muted) return;
    this.#isHeld = true;
    this.#video.muted = true;
  }

  free(): void {
    this.#video.muted = false;
  }

  /** Call before the next source, which may be allowed to play sound. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#video.muted = false;
  }
}

/** Mutes the video while another player has the sound. Sound that the user turned off stays off. */
export class SharedSound {
  readonly #video: Muteable;
  #isYielded = false;

  constructor(video: Muteable) {
    this.#video = video;
    video.addEventListener('volumechange', () => {
      if (!video.muted) this.#isYielded = false;
    });
  }

  get isYielded(): boolean {
    return this.#isYielded;
  }

  yield(): void {
    if (this.#video.muted) return;
    this.#isYielded = true;
    this.#video.muted = true;
  }

  take(): void {
    if (!this.#isYielded) return;
    this.#isYielded = false;
    this.#video.muted = false;
  }
}

interface Played {
  playbackRate: number;
  defaultPlaybackRate: number;
  addEventListener(type: 'ratechange', listener: () => void): void;
}
interface Choice {
  value: string;
  addEventListener(type: 'change', listener: () => void): void;
}

/**
 * Keeps video and selection in sync: the speed also applies to the sources that follow, and the selection shows changes
 * made by the video's own controls.
 */
export function followSpeed(video: Played, choice: Choice): void {
  choice.addEventListener('change', () => {
    const speed = Number(choice.value);
    // Each source starts with the default.
    video.defaultPlaybackRate = speed;
    video.playbackRate = speed;
  });
  video.addEventListener('ratechange', () => {
    video.defaultPlaybackRate = video.playbackRate;
    choice.value = String(video.playbackRate);
  });
}

/** Returns the highest speed: at the live edge, no more arrives than plays. @param behindLive as in `Playback` */
export function fastestSpeed(behindLive: number | undefined): number {
  return behindLive === 0 ? 1 : Number.POSITIVE_INFINITY;
}

/** Slows a broadcast down to the highest possible speed and disables any higher one in the selection. */
export function limitSpeed(
  video: Played,
  speeds: Iterable<{ readonly value: string; disabled: boolean }>,
  fastest: number,
): void {
  for (const speed of speeds) speed.disabled = Number(speed.value) > fastest;
  if (video.playbackRate > fastest) video.playbackRate = fastest;
}

type Buffered = { readonly currentTime: number; readonly buffered: Ranges };
type Ranges = { readonly length: number; start(index: number): number; end(index: number): number };

/** Returns how long a video can continue to play with what is buffered, in seconds. */
export function secondsAhead({ buffered, currentTime }: Buffered): number {
  for (let index = 0; index < buffered.length; index++) {
    if (buffered.start(index) <= currentTime + 0.1 && currentTime < buffered.end(index)) {
      return buffered.end(index) - currentTime;
    }
  }
  return 0;
}
