import { AAC_OBJECT_TYPES, readDecoderInfo } from '../../../media/aac.ts';
import {
  type Box,
  boxesIn,
  findBox,
  HANDLER,
  hideBox,
  read16,
  read32,
  read64,
  readHandler,
  readTrackId,
  SAMPLE_ENTRY_BYTES,
  trafsOf,
  trexesOf,
} from '../../../media/boxes.ts';

/**
 * Reads the sound of fragmented MP4 (ISO/IEC 14496-12). Damaged input yields what could be read of it: nothing here
 * throws, and no result grows beyond the input.
 */

/** The sound as an initialization segment describes it. */
export interface SoundTrackInfo {
  readonly trackId: number;
  /** Units per second of the track's times. */
  readonly timescale: number;
  /** The media time, in the track's units, that an edit list presents first. */
  readonly editTime: number;
  /** AudioSpecificConfig; undefined if the sound isn't AAC, or is encrypted. */
  readonly config: Uint8Array | undefined;
  readonly defaults: SampleDefaults;
}

interface SampleDefaults {
  readonly duration: number;
  readonly size: number;
}

interface SoundSample {
  /** Shorter than it should be, or empty, where data is missing. */
  readonly data: Uint8Array;
  /** In the track's units. */
  readonly duration: number;
}

export interface SoundFragment {
  /** In the track's units; undefined if it continues the fragment before. */
  readonly time: number | undefined;
  readonly samples: readonly SoundSample[];
}

/** Two minutes at 48 kHz. No broadcast has more in one segment. */
const SAMPLES_AT_MOST = 6000;

/** Returns undefined if the bytes hold no movie box. `sound` is undefined if the movie has no sound. */
export function readInit(bytes: Uint8Array): { readonly sound: SoundTrackInfo | undefined } | undefined {
  const movie = findBox(bytes, 'moov');
  if (movie === undefined) return undefined;
  const tracks = [...boxesIn(bytes, movie)].filter(({ type }) => type === 'trak');
  const track = tracks.find((box) => isSound(bytes, box));
  return { sound: track && readTrack(bytes, movie, track) };
}

/** Returns the fragments of one track, in order. */
export function readFragments(bytes: Uint8Array, track: SoundTrackInfo): readonly SoundFragment[] {
  const fragments: SoundFragment[] = [];
  let room = SAMPLES_AT_MOST;
  for (const movie of boxesIn(bytes)) {
    if (movie.type !== 'moof') continue;
    for (const traf of trafsOf(bytes, movie, new Set([track.trackId]))) {
      const fragment = readFragment(bytes, { movie, traf, track, room });
      room -= fragment.samples.length;
      fragments.push(fragment);
    }
  }
  return fragments;
}

/**
 * Returns a copy in which a player finds no sound: boxes that describe it are hidden. Data and offsets stay as they are.
 */
export function hideSound(bytes: Uint8Array, trackId: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  const ids = new Set([trackId]);
  for (const top of boxesIn(bytes)) {
    const tracks = top.type === 'moov' ? [...boxesIn(bytes, top)].filter(({ type }) => type === 'trak') : [];
    const ofMovie = [...tracks.filter((track) => isSound(bytes, track)), ...trexesOf(bytes, top, ids)];
    const hidden = top.type === 'moof' ? trafsOf(bytes, top, ids) : top.type === 'moov' ? ofMovie : [];
    for (const box of hidden) hideBox(copy, box);
  }
  return copy;
}

function isSound(bytes: Uint8Array, track: Box): boolean {
  return readHandler(bytes, track) === HANDLER.audio;
}

function readTrack(bytes: Uint8Array, movie: Box, track: Box): SoundTrackInfo {
  const media = findBox(bytes, 'mdia/mdhd', track);
  const trackId = readTrackId(bytes, track) ?? 0;
  const timescale = media === undefined ? 0 : read32(bytes, media.from + (isVersion1(bytes, media) ? 20 : 12));
  return {
    trackId,
    timescale: Math.max(1, timescale),
    editTime: readEditTime(bytes, track),
    config: readConfig(bytes, track),
    defaults: readDefaults(bytes, movie, trackId),
  };
}

/** Like Chromium, reads only the first edit, unless it's an empty one. */
function readEditTime(bytes: Uint8Array, track: Box): number {
  const list = findBox(bytes, 'edts/elst', track);
  if (list === undefined || read32(bytes, list.from + 4) === 0) return 0;
  const time = isVersion1(bytes, list) ? read64(bytes, list.from + 16) : read32(bytes, list.from + 12);
  return time >= 2 ** 31 || list.to < list.from + 20 ? 0 : time;
}

function readDefaults(bytes: Uint8Array, movie: Box, trackId: number): SampleDefaults {
  const [trex] = trexesOf(bytes, movie, new Set([trackId]));
  return trex === undefined
    ? { duration: 0, size: 0 }
    : { duration: read32(bytes, trex.from + 12), size: read32(bytes, trex.from + 16) };
}

function readConfig(bytes: Uint8Array, track: Box): Uint8Array | undefined {
  const table = findBox(bytes, 'mdia/minf/stbl/stsd', track);
  const entry = table && findBox(bytes, 'mp4a', { from: table.from + 8, to: table.to });
  if (entry === undefined) return undefined;
  const from = entry.from + (SAMPLE_ENTRY_BYTES[read16(bytes, entry.from + 8)] ?? 28);
  const inside = { from, to: entry.to };
  const descriptor = findBox(bytes, 'esds', inside) ?? findBox(bytes, 'wave/esds', inside);
  const info = descriptor && readDecoderInfo(bytes.subarray(descriptor.from + 4, descriptor.to));
  return info !== undefined && AAC_OBJECT_TYPES.has(info.objectType) ? info.config : undefined;
}

interface FragmentPlace {
  readonly movie: Box;
  readonly traf: Box;
  readonly track: SoundTrackInfo;
  /** How many samples may be read. */
  readonly room: number;
}

function readFragment(bytes: Uint8Array, { movie, traf, track, room }: FragmentPlace): SoundFragment {
  const header = findBox(bytes, 'tfhd', traf);
  const defaults = header === undefined ? track.defaults : readFragmentDefaults(bytes, header, track.defaults);
  const time = findBox(bytes, 'tfdt', traf);
  const samples: SoundSample[] = [];
  // Where no offset is given, data starts after the header of the box that follows.
  let next = movie.to + 8;
  for (const box of boxesIn(bytes, traf)) {
    if (box.type !== 'trun') continue;
    const run = readRun(bytes, { box, base: movie.at, next, defaults, room: room - samples.length });
    samples.push(...run.samples);
    next = run.next;
  }
  return { time: time && (isVersion1(bytes, time) ? read64 : read32)(bytes, time.from + 4), samples };
}

const BASE_OFFSET = 0x01;
const DESCRIPTION = 0x02;
const DEFAULT_DURATION = 0x08;
const DEFAULT_SIZE = 0x10;

function readFragmentDefaults(bytes: Uint8Array, { from }: Box, track: SampleDefaults): SampleDefaults {
  const flags = read32(bytes, from) & 0xffffff;
  let at = from + 8 + ((flags & BASE_OFFSET) === 0 ? 0 : 8) + ((flags & DESCRIPTION) === 0 ? 0 : 4);
  const take = (flag: number, otherwise: number): number => {
    if ((flags & flag) === 0) return otherwise;
    at += 4;
    return read32(bytes, at - 4);
  };
  const duration = take(DEFAULT_DURATION, track.duration);
  return { duration, size: take(DEFAULT_SIZE, track.size) };
}

const RUN_OFFSET = 0x001;
const FIRST_FLAGS = 0x004;
const SAMPLE_DURATION = 0x100;
const SAMPLE_SIZE = 0x200;
const SAMPLE_FIELDS = [SAMPLE_DURATION, SAMPLE_SIZE, 0x400, 0x800] as const;

interface RunPlace {
  readonly box: Box;
  readonly base: number;
  readonly next: number;
  readonly defaults: SampleDefaults;
  readonly room: number;
}

function readRun(bytes: Uint8Array, { box, base, next, defaults, room }: RunPlace) {
  const flags = read32(bytes, box.from) & 0xffffff;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const sampleBytes = SAMPLE_FIELDS.filter(has).length * 4;
  let at = box.from + 8 + (has(RUN_OFFSET) ? 4 : 0) + (has(FIRST_FLAGS) ? 4 : 0);
  let offset = has(RUN_OFFSET) ? base + (read32(bytes, box.from + 8) | 0) : next;
  const samples: SoundSample[] = [];
  for (let left = Math.min(read32(bytes, box.from + 4), room); left > 0; left--) {
    // Samples without fields of their own must have data, or any number of them would fit in a box.
    if (sampleBytes === 0 ? offset >= bytes.length || defaults.size === 0 : at + sampleBytes > box.to) break;
    const duration = has(SAMPLE_DURATION) ? read32(bytes, at) : defaults.duration;
    const size = has(SAMPLE_SIZE) ? read32(bytes, at + (has(SAMPLE_DURATION) ? 4 : 0)) : defaults.size;
    samples.push({ data: offset < 0 ? bytes.subarray(0, 0) : bytes.subarray(offset, offset + size), duration });
    at += sampleBytes;
    offset += size;
  }
  return { samples, next: offset };
}

function isVersion1(bytes: Uint8Array, { from }: Box): boolean {
  return bytes[from] === 1;
}
