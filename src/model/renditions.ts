/** As the public service has them; `fps` 0 is that of the source. The interface states no shape. */
export interface Rendition {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Bit/s. */
  readonly bitrate: number;
  readonly fps: number;
}

const LADDER: readonly Rendition[] = [
  { name: '240p0', width: 426, height: 240, bitrate: 250_000, fps: 0 },
  { name: '360p0', width: 640, height: 360, bitrate: 800_000, fps: 0 },
  { name: '480p0', width: 854, height: 480, bitrate: 1_600_000, fps: 0 },
  { name: '720p0', width: 1280, height: 720, bitrate: 3_000_000, fps: 0 },
];

/** All ladders of renditions that a stream can have, shortest first. */
export const LADDERS: readonly (readonly Rendition[])[] = LADDER.map((_top, at) => LADDER.slice(0, at + 1));
