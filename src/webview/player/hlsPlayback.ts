import Hls, { type ErrorData, ErrorDetails, ErrorTypes, Events, type Level } from 'hls.js';
import workerText from 'hls.js/dist/hls.worker.js' with { type: 'text' };
import { numberedUrl } from '../../util/numberedUrl.ts';
import { formatNumber } from '../makeElement.ts';
import type { MediaFetcher } from './mediaClient.ts';
import { createLoader, isPassing, type LoadAdapters } from './mediaLoader.ts';
import type { MetProblem, Source } from './messages.ts';
import type { Playback, PlaybackEvents, Quality } from './playback.ts';
import { attachSound, type SoundParts } from './sound/attachSound.ts';
import { leaveOutAac } from './withoutAac.ts';

const RETRIES = 3;
/** Up to this many seconds behind the live sync position count as live. */
const LIVE_SLACK_S = 4;
/** The number of the source, for the host. */
const SOURCE = 0;
/** Media errors that are recovered from within a minute, before the player stops. */
const RECOVERIES = 3;
const RECOVERIES_WITHIN_MS = 60_000;

interface HlsOptions {
  readonly video: HTMLVideoElement;
  readonly source: Source;
  readonly fetcher: MediaFetcher;
  /** In seconds. */
  readonly startAt: number;
  readonly events: PlaybackEvents;
  readonly sound: Sound;
}

/** What becomes of AAC: the browser decodes it, the page decodes it, or it is left out. */
export type Sound = { readonly kind: 'native' | 'leftOut' } | { readonly kind: 'decoded'; readonly parts: SoundParts };

export function canPlayHls(): boolean {
  return Hls.isSupported();
}

/** Plays HLS through Media Source. Sound that can't be decoded is removed before hls.js parses it. */
export function playHls(options: HlsOptions): Playback {
  const { video, source, fetcher, startAt, events, sound } = options;
  const url = numberedUrl(SOURCE);
  const workerUrl = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
  const hls = new Hls({
    loader: createLoader(fetcher, adaptersOf(options)),
    workerPath: workerUrl,
    // Bounds the memory of a page that plays a broadcast for days.
    backBufferLength: 90,
    startPosition: source.isLive || startAt <= 0 ? -1 : startAt,
    capLevelToPlayerSize: true,
    maxDevicePixelRatio: 2,
    enableWebVTT: false,
    enableIMSC1: false,
    enableCEA708Captions: false,
    enableInterstitialPlayback: false,
    ...LOAD_POLICIES,
  });
  follow(hls, url, events);
  const loading = new LoadSwitch(hls, video);
  const decoded =
    sound.kind === 'decoded' ? attachSound(hls, sound.parts, { onFailed: events.onSoundFailed }) : undefined;
  hls.loadSource(url);
  hls.attachMedia(video);
  return {
    qualities: () => qualitiesOf(hls.levels),
    quality: () => (hls.autoLevelEnabled ? undefined : hls.nextLevel),
    setQuality: (index) => {
      hls.nextLevel = index ?? -1;
    },
    behindLive: () => (source.isLive ? behind(hls, video) : undefined),
    liveStart: () => (source.isLive ? (hls.latestLevelDetails?.fragmentStart ?? 0) : undefined),
    goLive() {
      video.currentTime = hls.liveSyncPosition ?? video.duration;
      void video.play().catch(() => undefined);
    },
    setLoading: (isOn) => loading.set(isOn),
    dispose() {
      hls.destroy();
      decoded?.dispose();
      URL.revokeObjectURL(workerUrl);
    },
  };
}

function adaptersOf({ events, sound }: HlsOptions): LoadAdapters {
  const filter = sound.kind === 'leftOut' ? leaveOutAac(events.onNoSound) : undefined;
  return {
    adaptPlaylist: (text) => filter?.adaptPlaylist(text) ?? text,
    adaptSegment: async (bytes, fragment) => filter?.adaptSegment(bytes, fragment),
  };
}

const retry = {
  maxNumRetry: RETRIES,
  retryDelayMs: 500,
  maxRetryDelayMs: 4000,
  shouldRetry: (_: unknown, count: number, isTimeout: boolean, response: { readonly code?: number } | undefined) =>
    count < RETRIES && (isTimeout || isPassing(response?.code)),
};
const policyOf = (seconds: number) => ({
  default: {
    maxTimeToFirstByteMs: seconds * 1000,
    maxLoadTimeMs: seconds * 1000,
    timeoutRetry: retry,
    errorRetry: retry,
  },
});
const LOAD_POLICIES = {
  manifestLoadPolicy: policyOf(20),
  playlistLoadPolicy: policyOf(20),
  fragLoadPolicy: policyOf(60),
  keyLoadPolicy: policyOf(20),
};

/** Maps hls.js's errors to problems, and recovers from media errors unless they accumulate. */
function follow(hls: Hls, url: string, events: PlaybackEvents): void {
  let reloads = 0;
  let recoveries: readonly number[] = [];
  hls.on(Events.MANIFEST_PARSED, () => events.onQualities());
  hls.on(Events.FRAG_BUFFERED, () => events.onTrouble(undefined));
  hls.on(Events.ERROR, (_, data) => {
    const problem = problemOf(data);
    if (!data.fatal) {
      if (data.type !== ErrorTypes.NETWORK_ERROR) return;
      if (isHopeless(hls, data)) events.onFailed(problem);
      else events.onTrouble(problem);
      return;
    }
    const isFirstLoad = data.details === ErrorDetails.MANIFEST_LOAD_ERROR;
    if (isFirstLoad && isPassing(data.response?.code) && reloads < RETRIES) {
      reloads += 1;
      events.onTrouble(problem);
      setTimeout(() => hls.loadSource(url), 500 * 2 ** reloads);
      return;
    }
    const now = performance.now();
    recoveries = recoveries.filter((at) => now - at < RECOVERIES_WITHIN_MS);
    if (!canRecover(data) || recoveries.length >= RECOVERIES) return events.onFailed(problem);
    recoveries = [...recoveries, now];
    hls.recoverMediaError();
  });
}

/** Stops and starts loading. While the source itself is loaded, hls.js would drop it for good. */
class LoadSwitch {
  readonly #hls: Hls;
  readonly #video: HTMLVideoElement;
  #isOn = true;
  #hasLevels = false;

  constructor(hls: Hls, video: HTMLVideoElement) {
    this.#hls = hls;
    this.#video = video;
    hls.on(Events.MANIFEST_PARSED, () => {
      this.#hasLevels = true;
      if (!this.#isOn) hls.stopLoad();
    });
  }

  set(isOn: boolean): void {
    this.#isOn = isOn;
    if (!this.#hasLevels) return;
    // Without a position, hls.js goes on where it was; before it was anywhere, that would be the beginning.
    if (isOn) this.#hls.startLoad(this.#video.readyState > 0 ? -1 : this.#hls.config.startPosition);
    else this.#hls.stopLoad();
  }
}

/** hls.js retries the only rendition of a recording whatever the response, but a 404 or an HTML page won't change. */
function isHopeless(hls: Hls, { response }: ErrorData): boolean {
  const code = response?.code;
  const isOnly = hls.levels.length < 2 && hls.latestLevelDetails?.live !== true;
  return isOnly && code !== undefined && code >= 400 && !isPassing(code);
}

function canRecover({ type, details }: ErrorData): boolean {
  return type === ErrorTypes.MEDIA_ERROR && details === ErrorDetails.BUFFER_APPEND_ERROR;
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
      return { kind: 'brokenSegment' };
    default:
      return data.type === ErrorTypes.NETWORK_ERROR ? { kind: 'timeout' } : { kind: 'stopped' };
  }
}

/** Best first. Labels show the bit rate if the height alone is ambiguous. */
function qualitiesOf(levels: readonly Level[]): readonly Quality[] {
  if (levels.length < 2) return [];
  const heights = levels.map((level) => level.height);
  return levels
    .map((level, index) => {
      const isUnique = level.height > 0 && heights.filter((height) => height === level.height).length === 1;
      const rate = `${formatNumber(Math.round(level.bitrate / 100_000) / 10)} Mbit/s`;
      const label = level.height > 0 ? (isUnique ? `${level.height}p` : `${level.height}p · ${rate}`) : rate;
      return { index, label };
    })
    .reverse();
}

/** Returns seconds behind the live sync position; 0 if within the slack. */
function behind(hls: Hls, video: HTMLVideoElement): number {
  const { liveSyncPosition } = hls;
  if (liveSyncPosition === null || !Number.isFinite(liveSyncPosition)) return 0;
  const seconds = liveSyncPosition - video.currentTime;
  return seconds <= LIVE_SLACK_S ? 0 : seconds;
}
