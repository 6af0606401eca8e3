import { Events } from 'hls.js';
import type { FailureClock, MediaFailure } from './hlsFailures.ts';
import { secondsAhead } from './playback.ts';

const CHECK_EVERY_MS = 1000;
const STALLED_MS = 10_000;
/** HAVE_FUTURE_DATA of HTMLMediaElement. */
const FUTURE_DATA = 3;
/** Segments overlap by parts of a second. */
const SLACK_S = 0.1;
/** Loads have timeouts of their own. */
const STARTS = [Events.KEY_LOADING, Events.FRAG_LOADING] as const;
const ENDS = [Events.KEY_LOADED, Events.FRAG_LOADED, Events.FRAG_BUFFERED, Events.ERROR] as const;

type Segment = NonNullable<MediaFailure['segment']>;

interface WatchedHls {
  readonly latestLevelDetails: { readonly fragments: readonly Segment[] } | null;
  on(
    event: (typeof STARTS)[number] | (typeof ENDS)[number],
    listener: (event: string, data: { readonly frag?: { readonly type: string } }) => void,
  ): void;
}

interface WatchOptions {
  readonly hls: WatchedHls;
  readonly video: Parameters<typeof secondsAhead>[0] & {
    readonly paused: boolean;
    readonly ended: boolean;
    readonly readyState: number;
  };
  readonly clock: FailureClock;
  /** Called with the segment that would be played next. */
  readonly onStalled: (next: Segment) => void;
}

/**
 * Watches for playback that waits for a segment that hls.js doesn't load: it has lost its place and reports no error,
 * as after a segment without sound between others with it. A broadcast without new segments isn't stalled.
 */
export function watchStalls({ hls, video, clock, onStalled }: WatchOptions): { dispose(): void } {
  /** Video and audio may be loaded at the same time. */
  const loading = new Set<string | undefined>();
  let since = clock.elapsed();
  const restart = (): void => {
    since = clock.elapsed();
  };
  for (const event of STARTS) hls.on(event, (_, { frag }) => loading.add(frag?.type));
  for (const event of ENDS) {
    hls.on(event, (_, { frag }) => {
      loading.delete(frag?.type);
      restart();
    });
  }
  const findNext = () => {
    const bufferedTo = video.currentTime + secondsAhead(video) + SLACK_S;
    return hls.latestLevelDetails?.fragments.find(({ end }) => end > bufferedTo);
  };
  const check = (): void => {
    const next = findNext();
    const lacksData = !video.paused && !video.ended && video.readyState < FUTURE_DATA;
    if (!lacksData || loading.size > 0 || next === undefined) restart();
    else if (clock.elapsed() - since >= STALLED_MS) {
      restart();
      onStalled(next);
    }
    timer = clock.setTimeout(check, CHECK_EVERY_MS);
  };
  let timer = clock.setTimeout(check, CHECK_EVERY_MS);
  return { dispose: () => timer.dispose() };
}
