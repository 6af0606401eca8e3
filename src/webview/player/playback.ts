import type { MetProblem } from './messages.ts';

export interface Playback {
  /** Best first; empty if there is no choice. */
  qualities(): readonly Quality[];
  /** The chosen index; undefined for automatic. */
  quality(): number | undefined;
  setQuality(index: number | undefined): void;
  /** Seconds behind the live edge; undefined if not live. */
  behindLive(): number | undefined;
  /** Where the part of a live stream that can be played begins, in seconds; undefined if not live. */
  liveStart(): number | undefined;
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

export interface FileVideo {
  src: string;
  crossOrigin: string | null;
  currentTime: number;
  readonly duration: number;
  readonly paused: boolean;
  readonly error: { readonly code: number } | null;
  load(): void;
  play(): Promise<void>;
  removeAttribute(name: string): void;
  addEventListener(type: FileEvent, listener: () => void): void;
  removeEventListener(type: FileEvent, listener: () => void): void;
}

type FileEvent = 'error' | 'loadedmetadata' | 'timeupdate';

interface FileOptions {
  readonly video: FileVideo;
  readonly url: string;
  /** In seconds. */
  readonly startAt: number;
  readonly events: Pick<PlaybackEvents, 'onFailed' | 'onTrouble' | 'onNoSound'>;
  readonly canDecodeAac: boolean;
}

/** Codes of MediaError. */
const NETWORK = 2;
const DECODE = 3;

const RETRIES = 4;
const FIRST_WAIT_MS = 1000;

/** Plays a URL natively: an MP4, or a playlist if the browser itself supports HLS. */
export function playFile(options: FileOptions): Playback {
  const file = new FilePlayback(options);
  return {
    qualities: () => [],
    quality: () => undefined,
    setQuality: () => {},
    behindLive: () => undefined,
    liveStart: () => undefined,
    goLive: () => {},
    dispose: () => file.dispose(),
  };
}

/**
 * Retries a few times, with growing delays, if loading breaks off after the start. Then continues at the same position,
 * playing or paused as before.
 */
class FilePlayback {
  readonly #options: FileOptions;
  /** With CORS the picture can be copied. Servers that don't support CORS are requested without it. */
  #isShared = true;
  #hasBegun = false;
  #tries = 0;
  #cut: { readonly at: number; readonly isPaused: boolean } | undefined;
  #isBack = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FileOptions) {
    this.#options = options;
    const { video } = options;
    video.addEventListener('error', this.#onError);
    video.addEventListener('loadedmetadata', this.#onMetadata);
    video.addEventListener('timeupdate', this.#onTime);
    this.#begin();
  }

  dispose(): void {
    const { video } = this.#options;
    clearTimeout(this.#timer);
    video.removeEventListener('error', this.#onError);
    video.removeEventListener('loadedmetadata', this.#onMetadata);
    video.removeEventListener('timeupdate', this.#onTime);
    video.removeAttribute('src');
    video.load();
  }

  #begin(): void {
    const { video, url } = this.#options;
    if (this.#isShared) video.crossOrigin = 'anonymous';
    else video.removeAttribute('crossorigin');
    video.src = url;
  }

  readonly #onError = (): void => {
    const { video, events } = this.#options;
    const code = video.error?.code;
    if (!this.#hasBegun && this.#isShared && code !== DECODE) {
      this.#isShared = false;
      this.#begin();
      return;
    }
    // If the server can't be reached on a retry, the error code is that of a missing file.
    const isCut = this.#hasBegun && (code === NETWORK || (this.#cut !== undefined && code !== DECODE));
    if (!isCut || this.#tries >= RETRIES) {
      events.onFailed(this.#problem(isCut || code === NETWORK));
      return;
    }
    this.#isBack = false;
    this.#cut ??= { at: video.currentTime, isPaused: video.paused };
    events.onTrouble(this.#problem(true));
    this.#timer = setTimeout(() => this.#begin(), FIRST_WAIT_MS * 2 ** this.#tries);
    this.#tries += 1;
  };

  readonly #onMetadata = (): void => {
    const { video, startAt, events, canDecodeAac } = this.#options;
    const { at, isPaused } = this.#cut ?? { at: startAt < video.duration - 1 ? startAt : 0, isPaused: true };
    if (at > 0) video.currentTime = at;
    if (!isPaused) void video.play().catch(() => undefined);
    if (!this.#hasBegun && !canDecodeAac) events.onNoSound();
    this.#hasBegun = true;
    this.#isBack = true;
  };

  /** Playback has recovered if it moves on from where it broke off or, if paused, is back at that position. */
  readonly #onTime = (): void => {
    const { video, events } = this.#options;
    if (this.#cut === undefined || !this.#isBack) return;
    if (!this.#cut.isPaused && video.currentTime === this.#cut.at) return;
    this.#cut = undefined;
    this.#tries = 0;
    events.onTrouble(undefined);
  };

  #problem(isNetwork: boolean): MetProblem {
    const host = URL.parse(this.#options.url)?.host ?? '';
    return isNetwork ? { kind: 'network', host } : { kind: 'brokenFile' };
  }
}

interface Heard {
  muted: boolean;
  addEventListener(type: 'volumechange', listener: () => void): void;
}

/** Mutes the video while the browser blocks sound until the user clicks. Sound that the user turned off stays off. */
export class HeldSound {
  readonly #video: Heard;
  #isHeld = false;

  /** @param onFree called when the sound is on again, whether through `free` or the video's own controls */
  constructor(video: Heard, onFree: () => void) {
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
  readonly #video: Heard;
  #isYielded = false;

  constructor(video: Heard) {
    this.#video = video;
    video.addEventListener('volumechange', () => {
      if (!video.muted) this.#isYielded = false;
    });
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
