import { SEGMENT_MS } from './broadcasts.ts';
import { RENDITIONS, type RenditionName, SEGMENT_COUNT } from './mediaFiles.ts';

/** Segments in a live playlist. */
const WINDOW = 6;
/** Players wait for three segments before they start. A broadcast that has just begun has these at once. */
const HEAD_START = 3;
const TARGET_SECONDS = 3;

/** Appends its query to the renditions, as signed addresses need it. */
export function masterPlaylist(query: string): string {
  const suffix = query === '' ? '' : `?${query}`;
  const lines = RENDITIONS.flatMap(({ name, bandwidth, resolution }) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${resolution},FRAME-RATE=15.000,CODECS="avc1.4d401e,mp4a.40.2"`,
    `${name}.m3u8${suffix}`,
  ]);
  return assemble(['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines]);
}

export function recordingPlaylist(rendition: RenditionName, folder: string): string {
  const segments = Array.from({ length: SEGMENT_COUNT }, (_, number) => segmentLines(rendition, number, folder)).flat();
  return assemble([...mediaHead(0), '#EXT-X-PLAYLIST-TYPE:VOD', ...segments, '#EXT-X-ENDLIST']);
}

/**
 * Returns the last segments of a broadcast that has run for `elapsed` ms. The same few segments repeat, each round
 * after a discontinuity. Segment n of the broadcast is in round floor(n / 6), which makes the discontinuity sequence
 * right.
 */
export function livePlaylist(rendition: RenditionName, folder: string, elapsed: number): string {
  const end = Math.floor(elapsed / SEGMENT_MS) + HEAD_START;
  const first = Math.max(0, end - WINDOW);
  const lines: string[] = [];
  for (let number = first; number < end; number++) {
    if (number > first && number % SEGMENT_COUNT === 0) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(...segmentLines(rendition, number % SEGMENT_COUNT, folder));
  }
  const round = `#EXT-X-DISCONTINUITY-SEQUENCE:${Math.floor(first / SEGMENT_COUNT)}`;
  return assemble([...mediaHead(first), round, ...lines]);
}

function mediaHead(sequence: number): readonly string[] {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${TARGET_SECONDS}`,
    `#EXT-X-MEDIA-SEQUENCE:${sequence}`,
  ];
}

function segmentLines(rendition: RenditionName, number: number, folder: string): readonly string[] {
  return [`#EXTINF:${(SEGMENT_MS / 1000).toFixed(3)},`, `${folder}/${rendition}${number}.ts`];
}

function assemble(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
