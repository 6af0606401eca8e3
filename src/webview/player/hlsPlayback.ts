import Hls, { Events, type Level } from 'hls.js';
import workerText from 'hls.js/dist/hls.worker.js' with { type: 'text' };
import { formatBitrate } from '../../util/format.ts';
import { numberedUrl } from '../../util/numberedUrl.ts';
import { formatLocaleNumber } from '../makeElement.ts';
import { Continuation } from './continuation.ts';
import { followFailures, type MediaFailure, RETRIES } from './hlsFailures.ts';
import { isAacCodec } from './leftOutSound.ts';
import type { MediaFetcher } from './mediaClient.ts';
import {
  type DatedFragment,
  dateAt,
  liveDates,
  type NumberedFragment,
  type Place,
  placeAt,
  positionOf,
  positionOfPlace,
} from './mediaDates.ts';
import { createLoader, isPassing, type LoadAdapters } from './mediaLoader.ts';
import type { Source } from './messages.ts';
import type { Measured, Playback, PlaybackEvents, Quality } from './playback.ts';
import { attachSound, type SoundParts } from './sound/attachSound.ts';
import { watchStalls } from './stallWatch.ts';
import { leaveOutSound } from './withoutSound.ts';

/** The number of the source, for the host. */
const SOURCE = 0;

const CLOCK = {
  elapsed: () => performance.now(),
  setTimeout(run: () => void, ms: number) {
    const timer = setTimeout(run, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};

interface HlsOptions {
  readonly video: HTMLVideoElement;
  readonly source: Source;
  readonly fetcher: MediaFetcher;
  /** In seconds. */
  readonly startAt: number;
  /** Where to start in a broadcast, instead of at the live edge. */
  readonly place?: Place | undefined;
  /** Returns when a broadcast began, in epoch milliseconds, if that is known yet. */
  readonly beganAt: () => number | undefined;
  readonly events: PlaybackEvents;
  readonly sound: Sound;
}

/** How AAC is played: the browser decodes it, the page decodes it, or it's left out. */
export type Sound =
  | { readonly kind: 'native' | 'leftOut' }
  | { readonly kind: 'decoded'; readonly parts: Promise<SoundParts | undefined> };

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
    // By default, a rendition that has failed once is never chosen again.
    errorPenaltyExpireMs: 10_000,
    enableWebVTT: false,
    enableIMSC1: false,
    enableCEA708Captions: false,
    enableInterstitialPlayback: false,
    ...LOAD_POLICIES,
  });
  hls.on(Events.MANIFEST_PARSED, () => events.onQualities());
  const continuation = new Continuation(hls, video, { onError: () => failures.failMedia() });
  const recover = (failure: MediaFailure) => continuation.continue(failure);
  const failures = followFailures(hls, { url, events, clock: CLOCK, recover });
  const watch = watchStalls({ hls, video, clock: CLOCK, onStalled: (next) => failures.failStalled(next) });
  if (source.isLive) {
    hls.once(Events.LEVEL_LOADED, (_, { details }) => {
      // hls.js treats being disposed of in its own event as an error.
      if (!details.live) queueMicrotask(events.onOver);
    });
  }
  if (source.isLive && options.place !== undefined) startAtPlace(hls, video, options.place);
  else if (source.isLive) startAtEdge(hls, video);
  const loading = new LoadSwitch(hls, video);
  const datesOf = source.isLive
    ? followLiveDates(hls, options.beganAt)
    : () => [{ start: 0, programDateTime: source.beganAt ?? null }];
  const decoded =
    sound.kind === 'decoded' ? attachSound(hls, sound.parts, { onFailed: events.onSoundFailed }) : undefined;
  hls.loadSource(url);
  hls.attachMedia(video);
  return {
    qualities: () => qualitiesOf(hls.levels),
    setQuality: (index) => {
      hls.nextLevel = index ?? -1;
    },
    behindLive: () => (source.isLive ? behind(hls, video) : undefined),
    liveStart: () => (source.isLive ? (hls.latestLevelDetails?.fragmentStart ?? 0) : undefined),
    liveReach: () =>
      source.isLive ? (hls.latestLevelDetails?.totalduration ?? 0) - (hls.targetLatency ?? 0) : undefined,
    dateAt: (position) => dateAt(datesOf(), position),
    positionOf: (date) => positionOf(datesOf(), date),
    place: () => (source.isLive && video.readyState > 0 ? placeAt(fragmentsOf(hls), video.currentTime) : undefined),
    measured: () => measure(hls, source),
    goLive() {
      video.currentTime = hls.liveSyncPosition ?? video.duration;
      void video.play().catch(() => undefined);
    },
    setLoading: (isOn) => loading.set(isOn),
    dispose() {
      watch.dispose();
      failures.dispose();
      continuation.dispose();
      hls.destroy();
      decoded?.dispose();
      URL.revokeObjectURL(workerUrl);
    },
  };
}

function adaptersOf({ events, sound }: HlsOptions): LoadAdapters {
  const canPlay = (codec: string) => {
    if (isAacCodec(codec)) return sound.kind !== 'leftOut';
    // hls.js plays MP3 as it is in a transport stream; mp4a.40.34 is its name in playlists.
    const isMpeg = codec === 'mp3' || codec === 'mp4a.40.34';
    return MediaSource.isTypeSupported(isMpeg ? 'audio/mpeg' : `audio/mp4; codecs="${codec}"`);
  };
  return leaveOutSound(canPlay, events.onNoSound);
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

function fragmentsOf(hls: Hls): readonly NumberedFragment[] {
  return (hls.latestLevelDetails?.fragments ?? []).filter((each): each is typeof each & NumberedFragment =>
    Number.isInteger(each.sn),
  );
}

/** Seeks to the place once a playlist is loaded, because only the playlist says where it is. */
function startAtPlace(hls: Hls, video: HTMLVideoElement, place: Place): void {
  const seek = () => {
    const position = positionOfPlace(fragmentsOf(hls), place);
    if (hls.media === video && position !== undefined) video.currentTime = position;
  };
  video.addEventListener('loadedmetadata', seek, { once: true });
}

/** A broadcast that took long to load would start that far behind the live edge. After a seek, it stays where it is. */
function startAtEdge(hls: Hls, video: HTMLVideoElement): void {
  const started = new AbortController();
  const { signal } = started;
  const catchUp = () => {
    started.abort();
    const { liveSyncPosition: edge } = hls;
    if (hls.media === video && edge !== null && edge - video.currentTime > slackOf(hls) / 2) video.currentTime = edge;
  };
  let start: number | undefined;
  // The first seek is made by hls.js, which doesn't seek if the broadcast has just begun.
  const noteStart = () => {
    start ??= video.currentTime;
    if (Math.abs(video.currentTime - start) > 0.5) started.abort();
  };
  for (const event of ['seeking', 'loadeddata']) video.addEventListener(event, noteStart, { signal });
  video.addEventListener('playing', catchUp, { signal });
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
    // Without a position, hls.js continues where it was, or begins at the beginning if it hasn't played anything yet.
    if (isOn) this.#hls.startLoad(this.#video.readyState > 0 ? -1 : this.#hls.config.startPosition);
    else this.#hls.stopLoad();
  }
}

function followLiveDates(hls: Hls, beganAt: HlsOptions['beganAt']): () => readonly DatedFragment[] {
  let edge: DatedFragment | undefined;
  hls.on(Events.LEVEL_UPDATED, (_, { details }) => {
    edge ??= { start: details.edge, programDateTime: Date.now() };
  });
  return () => liveDates(fragmentsOf(hls), { beganAt: beganAt(), edge });
}

/** Returns the qualities, best first. Labels show the bit rate if the height alone is ambiguous. */
function qualitiesOf(levels: readonly Level[]): readonly Quality[] {
  if (levels.length < 2) return [];
  const heights = levels.map((level) => level.height);
  return levels
    .map((level, index) => {
      const isUnique = level.height > 0 && heights.filter((height) => height === level.height).length === 1;
      const rate = `${formatLocaleNumber(Math.round(level.bitrate / 100_000) / 10)} Mbit/s`;
      const label = level.height > 0 ? (isUnique ? `${level.height}p` : `${level.height}p · ${rate}`) : rate;
      return { index, label };
    })
    .reverse();
}

function measure(hls: Hls, { isLive }: Source): Measured {
  const level = hls.levels[hls.currentLevel];
  const rate = formatBitrate(level?.bitrate || undefined, document.documentElement.lang);
  const size = level !== undefined && level.height > 0 ? `${level.height}p` : undefined;
  const sentAt = hls.playingDate?.getTime();
  const latency = sentAt === undefined ? hls.latency : (Date.now() - sentAt) / 1000;
  return {
    quality: [size, rate].filter((word) => word !== undefined).join(' · '),
    codecs: [level?.videoCodec, level?.audioCodec].filter((codec) => codec !== undefined).join(', '),
    bandwidth: hls.bandwidthEstimate,
    latency: isLive && latency > 0 ? latency : undefined,
  };
}

/** Returns seconds behind the live sync position; 0 if within the slack. */
function behind(hls: Hls, video: HTMLVideoElement): number {
  const { liveSyncPosition } = hls;
  if (liveSyncPosition === null || !Number.isFinite(liveSyncPosition)) return 0;
  const seconds = liveSyncPosition - video.currentTime;
  return seconds <= slackOf(hls) ? 0 : seconds;
}

/** Returns how many seconds behind the live sync position, which moves by segments, still count as live. */
function slackOf(hls: Hls): number {
  return Math.max(4, 2 * (hls.latestLevelDetails?.targetduration ?? 0));
}
