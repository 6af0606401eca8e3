import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Best first. Their segments are concatenated in segments.mpegts; `sizes` are in bytes, as printed by
 * media/demo/make.sh.
 */
export const RENDITIONS = [
  { name: 'high', bandwidth: 110_000, resolution: '640x360', sizes: [18424, 17672, 17860, 17860, 17484, 17484] },
  { name: 'low', bandwidth: 100_000, resolution: '320x180', sizes: [17484, 16732, 16920, 16920, 16544, 16544] },
] as const;

export const SEGMENT_COUNT = 6;

export type RenditionName = (typeof RENDITIONS)[number]['name'];

export interface MediaFiles {
  segment(rendition: RenditionName, number: number): Promise<Buffer>;
  mp4(): Promise<Buffer>;
  thumbnail(): Promise<Buffer>;
}

/** Opens the files of media/demo. Each is read once, on first use. Together they are under 400 KB. */
export function openMediaFiles(root: string): MediaFiles {
  const files = new Map<string, Promise<Buffer>>();
  const read = (name: string) => {
    const known = files.get(name) ?? readFile(join(root, name));
    files.set(name, known);
    return known;
  };
  return {
    segment: async (rendition, number) => sliceOf(await read('segments.mpegts'), rendition, number),
    mp4: () => read('source.mp4'),
    thumbnail: () => read('thumbnail.jpg'),
  };
}

function sliceOf(all: Buffer, rendition: RenditionName, number: number): Buffer {
  const index = RENDITIONS.findIndex(({ name }) => name === rendition) * SEGMENT_COUNT + number;
  const sizes: readonly number[] = RENDITIONS.flatMap((each) => each.sizes);
  const from = sizes.slice(0, index).reduce((sum, size) => sum + size, 0);
  return all.subarray(from, from + (sizes[index] ?? 0));
}
