import type { Segment } from './segmenter.ts';

export const PLAYLIST_FILE = 'source.m3u8';
export const INITIALIZATION_FILE = 'init.mp4';

export type ListedSegment = Pick<Segment, 'number' | 'start' | 'duration' | 'formats'> & { readonly bytes: number };

export function segmentFile(number: number): string {
  return `${number}.m4s`;
}

/** Returns a master playlist with the one rendition that was sent. */
export function masterPlaylist(segments: readonly ListedSegment[]): string {
  // The last segment may be a single frame.
  const highest = segments.reduce(
    (most, { bytes, duration }) => Math.max(most, (bytes * 8) / Math.max(1, duration)),
    0,
  );
  const formats = segments[0]?.formats ?? [];
  const attributes = [
    `BANDWIDTH=${Math.ceil(highest)}`,
    ...formats.flatMap((format) => (format.kind === 'video' ? [`RESOLUTION=${format.width}x${format.height}`] : [])),
    `CODECS="${formats.map(({ codec }) => codec)}"`,
  ];
  return assemble(['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-STREAM-INF:${attributes}`, PLAYLIST_FILE]);
}

interface MediaPlaylist {
  readonly segments: readonly ListedSegment[];
  /** The folder of the segments, relative to the playlist. */
  readonly folder: string;
  /** When the broadcast began, in epoch ms. */
  readonly beganAt: number;
  readonly targetSeconds: number;
  /** Whether it lists the newest segments, all segments so far, or the final ones. */
  readonly type: 'window' | 'growing' | 'complete';
}

const TYPE_TAGS: Readonly<Record<MediaPlaylist['type'], readonly string[]>> = {
  window: [],
  growing: ['#EXT-X-PLAYLIST-TYPE:EVENT'],
  complete: ['#EXT-X-PLAYLIST-TYPE:VOD'],
};

export function mediaPlaylist({ segments, folder, beganAt, ...rest }: MediaPlaylist): string {
  const [first] = segments;
  const longest = segments.reduce((most, { duration }) => Math.max(most, Math.round(duration)), rest.targetSeconds);
  const began = new Date(beganAt + (first?.start ?? 0) * 1000).toISOString();
  return assemble([
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longest}`,
    `#EXT-X-MEDIA-SEQUENCE:${first?.number ?? 0}`,
    ...TYPE_TAGS[rest.type],
    `#EXT-X-MAP:URI="${folder}${INITIALIZATION_FILE}"`,
    `#EXT-X-PROGRAM-DATE-TIME:${began}`,
    ...segments.flatMap(({ number, duration }) => [
      `#EXTINF:${duration.toFixed(3)},`,
      `${folder}${segmentFile(number)}`,
    ]),
    ...(rest.type === 'complete' ? ['#EXT-X-ENDLIST'] : []),
  ]);
}

export function assemble(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
