import type { FeedFile } from '../demoState.ts';
import { initializationSegment } from './mp4.ts';
import {
  INITIALIZATION_FILE,
  type ListedSegment,
  masterPlaylist,
  mediaPlaylist,
  PLAYLIST_FILE,
  segmentFile,
} from './playlists.ts';
import { LONGEST_MS, type Segment } from './segmenter.ts';

interface KeptSegment extends ListedSegment {
  readonly data: Buffer;
}

const MOST_BYTES = 64 * 1024 * 1024;
// A playlist has to be at least three times as long as its longest segment. What leaves it stays for as long again.
const LISTED_SECONDS = 20;
const KEPT_SECONDS = 2 * LISTED_SECONDS;
const TARGET_SECONDS = LONGEST_MS / 1000 + 1;

/** The newest segments of a live broadcast: at most 40 seconds and 64 MB. */
export class LiveWindow {
  readonly #folder: string;
  readonly #beganAt: number;
  #kept: readonly KeptSegment[] = [];

  /** @param folder of the segments, relative to the playlists; another one for each broadcast */
  constructor(folder: string, beganAt: number) {
    this.#folder = folder;
    this.#beganAt = beganAt;
  }

  add(segment: Segment): void {
    const data = Buffer.concat([segment.head, segment.samples]);
    const { number, start, duration, formats } = segment;
    const all = [...this.#kept, { number, start, duration, formats, data, bytes: data.length }];
    this.#kept = newest(all, KEPT_SECONDS);
  }

  /** Undefined if there is no such file, or nothing to play yet. */
  read(file: string): FeedFile | undefined {
    const listed = newest(this.#kept, LISTED_SECONDS);
    const [first] = listed;
    if (first === undefined) return undefined;
    if (file === 'index.m3u8') return { type: 'playlist', body: masterPlaylist(this.#kept) };
    if (file === PLAYLIST_FILE) return { type: 'playlist', body: this.#list(listed) };
    if (file === this.#folder + INITIALIZATION_FILE)
      return { type: 'media', body: initializationSegment(first.formats) };
    const segment = this.#kept.find(({ number }) => file === this.#folder + segmentFile(number));
    return segment && { type: 'media', body: segment.data };
  }

  #list(segments: readonly KeptSegment[]): string {
    const [folder, beganAt] = [this.#folder, this.#beganAt];
    return mediaPlaylist({ segments, folder, beganAt, targetSeconds: TARGET_SECONDS, isComplete: false });
  }
}

function newest(segments: readonly KeptSegment[], seconds: number): readonly KeptSegment[] {
  let [duration, bytes] = [0, 0];
  const tooOld = segments.findLastIndex((segment) => {
    duration += segment.duration;
    bytes += segment.bytes;
    return duration > seconds || bytes > MOST_BYTES;
  });
  // The newest one stays in any case.
  return segments.slice(Math.min(tooOld + 1, segments.length - 1));
}
