import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The renditions of the media, best first. */
export const RENDITIONS = [
  { name: 'high', bandwidth: 110_000, resolution: '640x360' },
  { name: 'low', bandwidth: 100_000, resolution: '320x180' },
] as const;

/** Segments there are of each rendition. */
export const SEGMENT_COUNT = 6;

export type RenditionName = (typeof RENDITIONS)[number]['name'];

export interface MediaFiles {
  segment(rendition: RenditionName, number: number): Promise<Buffer>;
  mp4(): Promise<Buffer>;
  thumbnail(): Promise<Buffer>;
}

/** Reads the files of media/demo, each once, when it is first wanted. All of them are under 400 KB. */
export function openMediaFiles(root: string): MediaFiles {
  const files = new Map<string, Promise<Buffer>>();
  const read = (name: string) => {
    const known = files.get(name) ?? readFile(join(root, name));
    files.set(name, known);
    return known;
  };
  return {
    segment: (rendition, number) => read(`${rendition}${number}.mpegts`),
    mp4: () => read('source.mp4'),
    thumbnail: () => read('thumbnail.jpg'),
  };
}
