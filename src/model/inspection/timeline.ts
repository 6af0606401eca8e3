import { isTooLong, lengthOf, nameOfTrack } from './hlsFindings.ts';
import { type HlsFacts, hasSucceeded, type SegmentFacts, type TrackFacts } from './inspectHls.ts';
import type { MediaPlaylist, PlaylistSegment } from './playlist.ts';

/** `listed`: not requested. */
type SegmentState = 'listed' | 'loaded' | 'tooLong' | 'gap' | 'failed';

/** One segment, or several neighbors if there are many. Times are seconds. */
export interface TimelineBar {
  /** From the beginning of the timeline. */
  readonly start: number;
  readonly length: number;
  /** The duration of its longest segment. */
  readonly longest: number;
  /** The worst of its segments. */
  readonly state: SegmentState;
  readonly isAfterDiscontinuity: boolean;
  readonly firstSequence: number;
  readonly lastSequence: number;
}

export interface TimelineTrack {
  readonly name: string;
  readonly bars: readonly TimelineBar[];
  readonly targetDuration: number | undefined;
  readonly segmentCount: number;
  /** Seconds. */
  readonly length: number;
  readonly shortest: number;
  readonly longest: number;
  readonly counts: Readonly<Record<Exclude<SegmentState, 'listed'> | 'discontinuity', number>>;
}

/** The segments of each rendition, side by side. */
export interface Timeline {
  readonly tracks: readonly TimelineTrack[];
  /** Seconds, for all tracks together. */
  readonly length: number;
}

const MOST_BARS = 500;
const BY_SEVERITY: readonly SegmentState[] = ['listed', 'loaded', 'tooLong', 'gap', 'failed'];

type Listing = TrackFacts & { readonly playlist: MediaPlaylist };

/** Returns undefined if no rendition lists a segment. */
export function timelineOf({ tracks }: { readonly tracks: HlsFacts['tracks'] }): Timeline | undefined {
  const listings = tracks.flatMap((track, index) =>
    track.playlist?.kind === 'media' && track.playlist.segments.length > 0
      ? [{ listing: { ...track, playlist: track.playlist }, name: nameOfTrack(track, index) }]
      : [],
  );
  if (listings.length === 0) return undefined;
  const starts = startsOf(listings.map(({ listing }) => listing.playlist));
  const drawn = listings.map(({ listing, name }, index) => trackOf(listing, { name, start: starts[index] ?? 0 }));
  return {
    tracks: drawn,
    length: Math.max(...drawn.map((track, index) => (starts[index] ?? 0) + track.length)),
  };
}

/** Returns seconds after the first start: by the clock if all tracks have one and overlap, otherwise 0 for all. */
function startsOf(playlists: readonly MediaPlaylist[]): readonly number[] {
  const times = playlists.map(({ segments }) => (segments[0]?.programDateTime ?? Number.NaN) / 1000);
  const first = Math.min(...times);
  const starts = times.map((time) => time - first);
  const shortest = Math.min(...playlists.map(({ segments }) => lengthOf(segments)));
  return starts.every((start) => start < shortest) ? starts : starts.map(() => 0);
}

function trackOf(
  { playlist, segments: requested }: Listing,
  { name, start }: { readonly name: string; readonly start: number },
): TimelineTrack {
  const { segments, targetDuration } = playlist;
  const stateOf = createStates(requested, targetDuration);
  const count = (isCounted: (segment: PlaylistSegment) => boolean) => segments.filter(isCounted).length;
  const ofState = (state: SegmentState) => count((segment) => stateOf(segment) === state);
  return {
    ...{ name, targetDuration, segmentCount: segments.length, length: lengthOf(segments) },
    bars: barsOf(segments, { start, stateOf }),
    shortest: segments.reduce((least, { duration }) => Math.min(least, duration), Number.POSITIVE_INFINITY),
    longest: longestOf(segments),
    counts: {
      loaded: ofState('loaded'),
      tooLong: count((segment) => isTooLong(segment, targetDuration)),
      gap: ofState('gap'),
      failed: ofState('failed'),
      discontinuity: count(({ isAfterDiscontinuity }) => isAfterDiscontinuity),
    },
  };
}

type StateOf = (segment: PlaylistSegment) => SegmentState;

function createStates(requested: readonly SegmentFacts[], targetDuration: number | undefined): StateOf {
  const exchanges = new Map(requested.map(({ segment, exchange }) => [segment.sequence, exchange]));
  return (segment) => {
    const exchange = exchanges.get(segment.sequence);
    if (segment.isGap) return 'gap';
    if (exchange?.kind === 'failure' || (exchange?.kind === 'answer' && !hasSucceeded(exchange))) return 'failed';
    if (isTooLong(segment, targetDuration)) return 'tooLong';
    return exchange?.kind === 'answer' ? 'loaded' : 'listed';
  };
}

function barsOf(
  segments: readonly PlaylistSegment[],
  { start, stateOf }: { readonly start: number; readonly stateOf: StateOf },
): readonly TimelineBar[] {
  const size = Math.ceil(segments.length / MOST_BARS);
  const bars: TimelineBar[] = [];
  let at = start;
  for (let from = 0; from < segments.length; from += size) {
    const group = segments.slice(from, from + size);
    const length = lengthOf(group);
    const severity = Math.max(...group.map((segment) => BY_SEVERITY.indexOf(stateOf(segment))));
    bars.push({
      ...{ start: at, length, longest: longestOf(group), state: BY_SEVERITY[severity] ?? 'listed' },
      isAfterDiscontinuity: group.some(({ isAfterDiscontinuity }) => isAfterDiscontinuity),
      firstSequence: group[0]?.sequence ?? 0,
      lastSequence: group.at(-1)?.sequence ?? 0,
    });
    at += length;
  }
  return bars;
}

function longestOf(segments: readonly PlaylistSegment[]): number {
  return segments.reduce((most, { duration }) => Math.max(most, duration), 0);
}
