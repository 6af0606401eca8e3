import type Hls from 'hls.js';
import { type ErrorData, ErrorDetails, ErrorTypes, Events } from 'hls.js';
import { isPassing } from './mediaLoader.ts';
import type { MetProblem } from './messages.ts';
import type { PlaybackEvents } from './playback.ts';

export const RETRIES = 3;
/** How many media errors the player recovers from within a minute before it stops. */
const RECOVERIES = 3;
const RECOVERIES_WITHIN_MS = 60_000;
const RECOVERABLE: ReadonlySet<ErrorDetails> = new Set([
  ErrorDetails.BUFFER_APPEND_ERROR,
  ErrorDetails.BUFFER_STALLED_ERROR,
  ErrorDetails.MEDIA_SOURCE_REQUIRES_RESET,
]);

const OF_PLAYLIST: ReadonlySet<ErrorDetails> = new Set([
  ErrorDetails.LEVEL_LOAD_ERROR,
  ErrorDetails.LEVEL_LOAD_TIMEOUT,
]);

interface FailureOptions {
  readonly url: string;
  readonly events: Pick<PlaybackEvents, 'onFailed' | 'onTrouble'>;
  readonly clock: FailureClock;
  /** Continues playback after a media error. */
  readonly recover: (error: MediaFailure) => void;
}

export interface MediaFailure {
  /** Whether hls.js has replaced the media source already. */
  readonly isReset: boolean;
  /** The segment that couldn't be appended, if that was the failure; in seconds. */
  readonly segment: { readonly start: number; readonly end: number } | undefined;
}

export interface FailureClock {
  /** In milliseconds. */
  elapsed(): number;
  setTimeout(run: () => void, ms: number): { dispose(): void };
}

type FailingHls = Pick<Hls, 'latestLevelDetails' | 'levels' | 'loadSource'> & {
  on(event: Events.ERROR, listener: (event: Events.ERROR, data: ErrorData) => void): void;
  on(event: Events.FRAG_BUFFERED | Events.LEVEL_LOADED, listener: () => void): void;
};

interface Failures {
  /** Call when the media element reports an error: hls.js notices one only when it appends the next segment. */
  failMedia(): void;
  /** Call when playback waits for a segment that hls.js doesn't load. */
  failStalled(next: MediaFailure['segment']): void;
  dispose(): void;
}

/** Maps hls.js's errors to problems and recovers from media errors unless they accumulate. */
export function followFailures(hls: FailingHls, options: FailureOptions): Failures {
  const { url, events, clock, recover } = options;
  let reloads = 0;
  let reload: { dispose(): void } | undefined;
  let recoveries: readonly number[] = [];
  let isOfPlaylist = false;
  const recoverOrFail = (problem: MetProblem, failure: MediaFailure) => {
    const now = clock.elapsed();
    recoveries = recoveries.filter((at) => now - at < RECOVERIES_WITHIN_MS);
    if (recoveries.length >= RECOVERIES) return events.onFailed(problem);
    recoveries = [...recoveries, now];
    recover(failure);
  };
  hls.on(Events.FRAG_BUFFERED, () => events.onTrouble(undefined));
  // While paused with a full buffer, hls.js loads playlists but no segments.
  hls.on(Events.LEVEL_LOADED, () => {
    if (isOfPlaylist) events.onTrouble(undefined);
    isOfPlaylist = false;
  });
  hls.on(Events.ERROR, (_, data) => {
    const problem = problemOf(data);
    const isReset = data.details === ErrorDetails.MEDIA_SOURCE_REQUIRES_RESET;
    if (!data.fatal && !isReset) {
      if (data.type !== ErrorTypes.NETWORK_ERROR) return;
      isOfPlaylist = OF_PLAYLIST.has(data.details);
      if (isHopeless(hls, data)) events.onFailed(problem);
      else events.onTrouble(problem);
      return;
    }
    const isFirstLoad = data.details === ErrorDetails.MANIFEST_LOAD_ERROR;
    if (isFirstLoad && isPassing(data.response?.code) && reloads < RETRIES) {
      reloads += 1;
      events.onTrouble(problem);
      reload = clock.setTimeout(() => hls.loadSource(url), 500 * 2 ** reloads);
      return;
    }
    const segment = data.details === ErrorDetails.BUFFER_APPEND_ERROR ? data.frag : undefined;
    if (RECOVERABLE.has(data.details)) recoverOrFail(problem, { isReset, segment });
    else events.onFailed(problem);
  });
  return {
    failMedia: () => recoverOrFail({ kind: 'brokenSegment' }, { isReset: false, segment: undefined }),
    failStalled: (segment) => recoverOrFail({ kind: 'stopped' }, { isReset: false, segment }),
    dispose: () => reload?.dispose(),
  };
}

/** hls.js retries a recording's only rendition regardless of the response, but a 404 or an HTML page won't change. */
function isHopeless(hls: FailingHls, { response }: ErrorData): boolean {
  const code = response?.code;
  const isOnly = hls.levels.length < 2 && hls.latestLevelDetails?.live !== true;
  return isOnly && code !== undefined && code >= 400 && !isPassing(code);
}

function problemOf(data: ErrorData): MetProblem {
  const own: unknown = data.networkDetails;
  if (typeof own === 'object' && own !== null && 'kind' in own) return own as MetProblem;
  switch (data.details) {
    case ErrorDetails.LEVEL_EMPTY_ERROR:
      return { kind: 'emptyPlaylist' };
    case ErrorDetails.MANIFEST_PARSING_ERROR:
    case ErrorDetails.LEVEL_PARSING_ERROR:
      return { kind: 'malformedPlaylist' };
    case ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR:
      return { kind: 'pictureFormat' };
    case ErrorDetails.BUFFER_ADD_CODEC_ERROR:
    case ErrorDetails.BUFFER_INCOMPATIBLE_CODECS_ERROR:
      return { kind: data.sourceBufferName === 'audio' ? 'soundFormat' : 'pictureFormat' };
    case ErrorDetails.FRAG_PARSING_ERROR:
    case ErrorDetails.FRAG_DECRYPT_ERROR:
    case ErrorDetails.BUFFER_APPEND_ERROR:
    case ErrorDetails.BUFFER_APPENDING_ERROR:
    case ErrorDetails.MEDIA_SOURCE_REQUIRES_RESET:
      return { kind: 'brokenSegment' };
    default:
      return data.type === ErrorTypes.NETWORK_ERROR ? { kind: 'timeout' } : { kind: 'stopped' };
  }
}
