import type { MetProblem } from './messages.ts';
import type { Playback, PlaybackEvents } from './playback.ts';

/** What is used of a video element. */
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

export interface FileOptions {
  readonly video: FileVideo;
  readonly url: string;
  /** Seconds. */
  readonly startAt: number;
  readonly events: Pick<PlaybackEvents, 'onFailed' | 'onTrouble' | 'onNoSound'>;
  readonly canDecodeAac: boolean;
}

/** Of MediaError. */
const NETWORK = 2;
const DECODE = 3;

const RETRIES = 4;
const FIRST_WAIT_MS = 1000;

/** Plays a file by its address: an MP4, or a playlist where the browser itself knows HLS. */
export function playFile(options: FileOptions): Playback {
  const file = new FilePlayback(options);
  return {
    qualities: () => [],
    quality: () => undefined,
    setQuality: () => {},
    behindLive: () => undefined,
    goLive: () => {},
    dispose: () => file.dispose(),
  };
}

/**
 * What breaks off once it has begun is asked for again a few times, each later than the last, and goes on where it was, playing
 * or not.
 */
class FilePlayback {
  readonly #options: FileOptions;
  /** With CORS the picture can be copied; a server that does not offer it is asked without. */
  #isShared = true;
  #hasBegun = false;
  #tries = 0;
  /** Where it broke off. */
  #cut: { readonly at: number; readonly isPaused: boolean } | undefined;
  /** It has come again since it broke off. */
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
    // A server that cannot be reached when it is asked again counts as one that has no such file.
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

  /** It goes on once it has come farther than where it broke off, or stands there again. */
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
