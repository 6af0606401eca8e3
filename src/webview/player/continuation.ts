import type { MediaFailure } from './hlsFailures.ts';
import { secondsAhead } from './playback.ts';

/** Media up to this far ahead of the position may be what can't be decoded. All of these are in seconds. */
const DECODED_AHEAD = 0.5;
/** How much is skipped if no playlist determines it. */
const SKIPPED = 2;
/** How much of the buffer may be left unplayed when the media source is replaced. */
const LEFT = 0.5;
/** If the failure is farther away than this, the user has moved to another position. */
const NEAR = 5;
const CHECK_EVERY_MS = 250;
/** MEDIA_ERR_DECODE of MediaError. */
const DECODING = 3;

interface ContinuedHls {
  readonly config: { readonly startPosition: number };
  readonly latestLevelDetails: { readonly fragments: readonly Segment[] } | null;
  recoverMediaError(): void;
  startLoad(position: number): void;
}

type Segment = NonNullable<MediaFailure['segment']>;

interface ContinuedVideo extends EventTarget {
  readonly buffered: Parameters<typeof secondsAhead>[0]['buffered'];
  readonly currentTime: number;
  readonly error: { readonly code: number } | null;
  readonly paused: boolean;
  readonly readyState: number;
  play(): Promise<void>;
}

/**
 * Continues playback with another media source, which resets the position and pauses the video without an event. Media
 * that couldn't be appended are loaded first, because the source's buffers are created for the tracks of what is
 * appended first; media that fail again, or couldn't be decoded, are skipped.
 */
export class Continuation {
  readonly #hls: ContinuedHls;
  readonly #video: ContinuedVideo;
  readonly #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** undefined before anything was played. */
  #position: number | undefined;
  #isPlaying: boolean;
  #isDamaged = false;
  /** The start of the last segment that couldn't be appended. */
  #failedAt: number | undefined;

  /** @param onError called when the media element reports an error */
  constructor(hls: ContinuedHls, video: ContinuedVideo, { onError }: { readonly onError: () => void }) {
    this.#hls = hls;
    this.#video = video;
    this.#isPlaying = !video.paused;
    this.#listen(['timeupdate', 'seeking'], ({ type }) => {
      // Another media source resets the position, too, and has no metadata yet.
      const isSought = type === 'seeking' && video.readyState > 0;
      if (isSought || video.currentTime > 0) this.#position = video.currentTime;
    });
    // An error pauses the video, too.
    this.#listen(['play', 'pause'], () => {
      if (video.error === null) this.#isPlaying = !video.paused;
    });
    this.#listen(['error'], () => {
      // hls.js may have replaced the media source in the meantime.
      if (video.error === null) return;
      this.#isDamaged = video.error.code === DECODING;
      onError();
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#ending.abort();
  }

  continue(failure: MediaFailure): void {
    clearTimeout(this.#timer);
    if (failure.segment !== undefined && secondsAhead(this.#video) > LEFT) {
      this.#timer = setTimeout(() => this.continue(failure), CHECK_EVERY_MS);
      return;
    }
    const position = this.#isDamaged ? this.#endOfDamage() : this.#startOf(failure.segment);
    this.#isDamaged = false;
    if (!failure.isReset) this.#hls.recoverMediaError();
    this.#hls.startLoad(position ?? this.#hls.config.startPosition);
    if (this.#isPlaying) void this.#video.play().catch(() => undefined);
  }

  #startOf(segment: Segment | undefined): number | undefined {
    const position = this.#position ?? 0;
    if (segment === undefined || Math.abs(segment.start - position) > NEAR) return this.#position;
    const isAgain = segment.start === this.#failedAt;
    this.#failedAt = segment.start;
    return isAgain ? segment.end : Math.max(segment.start, position);
  }

  #endOfDamage(): number {
    const position = this.#position ?? 0;
    const at = position + DECODED_AHEAD;
    const damaged = this.#hls.latestLevelDetails?.fragments.find(({ start, end }) => start <= at && at < end);
    return damaged?.end ?? position + SKIPPED;
  }

  #listen(events: readonly string[], listener: (event: Event) => void): void {
    for (const event of events) this.#video.addEventListener(event, listener, { signal: this.#ending.signal });
  }
}
