import { type Bytes, concat } from '../util/bytes.ts';

/** Boxes of MP4 (ISO/IEC 14496-12), read and written. Runs in browsers too. */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A box starts at `at`, its content at `from`, and the next box at `to`, which is at most the end of the input. */
export interface Box extends ByteRange {
  readonly type: string;
  readonly at: number;
}

const BOX_HEADER = 8;
export const LONG_BOX_HEADER = 16;

/**
 * Returns undefined if the header is incomplete or invalid.
 * @param available bytes from the header to the end of the box's parent, which a box of size 0 reaches
 */
export function readBoxHeader(
  bytes: Uint8Array,
  at: number,
  available: number,
): { readonly type: string; readonly headerBytes: number; readonly size: number } | undefined {
  if (available < BOX_HEADER) return undefined;
  const short = read32(bytes, at);
  const headerBytes = short === 1 ? LONG_BOX_HEADER : BOX_HEADER;
  const size = short === 1 ? read64(bytes, at + 8) : short === 0 ? available : short;
  if (size < headerBytes || headerBytes > available) return undefined;
  return { type: String.fromCharCode(...bytes.subarray(at + 4, at + 8)), headerBytes, size };
}

/** Yields the boxes in `parent`, or in all bytes. One that claims to be longer than its parent ends with it. */
export function* boxesIn(bytes: Uint8Array, parent?: ByteRange): Generator<Box, void, undefined> {
  const end = parent?.to ?? bytes.length;
  for (let at = parent?.from ?? 0; at < end; ) {
    const header = readBoxHeader(bytes, at, end - at);
    if (header === undefined) return;
    const to = Math.min(at + header.size, end);
    yield { type: header.type, at, from: at + header.headerBytes, to };
    at = to;
  }
}

/** Returns the first box at a path such as `mdia/minf/stbl`. */
export function findBox(bytes: Uint8Array, path: string, parent?: ByteRange): Box | undefined {
  const [type, ...rest] = path.split('/');
  for (const box of boxesIn(bytes, parent)) {
    if (box.type === type) return rest.length === 0 ? box : findBox(bytes, rest.join('/'), box);
  }
  return undefined;
}

/** The handlers of tracks, "vide" and "soun". */
export const HANDLER = { video: 0x76696465, audio: 0x736f756e } as const;

/** Returns the handler of a track box; 0 if it has none. */
export function readHandler(bytes: Uint8Array, track: ByteRange): number {
  const handler = findBox(bytes, 'mdia/hdlr', track);
  return handler === undefined ? 0 : read32(bytes, handler.from + 8);
}

/** Bytes of an audio sample entry before its boxes, by its version; versions above 0 are QuickTime's. */
export const SAMPLE_ENTRY_BYTES: readonly number[] = [28, 44, 64];

/** Returns the ID of a track box; undefined if it has none. */
export function readTrackId(bytes: Uint8Array, track: ByteRange): number | undefined {
  const header = findBox(bytes, 'tkhd', track);
  return header && read32(bytes, header.from + (bytes[header.from] === 1 ? 20 : 12));
}

/** Returns the boxes in a movie box that contain the defaults for these tracks. */
export function trexesOf(bytes: Uint8Array, movie: ByteRange, trackIds: ReadonlySet<number>): readonly Box[] {
  return [...boxesIn(bytes, movie)]
    .flatMap((box) => (box.type === 'mvex' ? [...boxesIn(bytes, box)] : []))
    .filter((box) => box.type === 'trex' && trackIds.has(read32(bytes, box.from + 4)));
}

/** Returns the boxes in a fragment that belong to these tracks. */
export function trafsOf(bytes: Uint8Array, fragment: ByteRange, trackIds: ReadonlySet<number>): readonly Box[] {
  return [...boxesIn(bytes, fragment)].filter((box) => {
    const header = box.type === 'traf' ? findBox(bytes, 'tfhd', box) : undefined;
    return header !== undefined && trackIds.has(read32(bytes, header.from + 4));
  });
}

/** Renames a box to `free`, in place, so that players skip it. */
export function hideBox(bytes: Uint8Array, { at }: Box): void {
  bytes.set(ascii('free'), at + 4);
}

// Bytes beyond the end are read as zeros.
export function read16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

export function read32(bytes: Uint8Array, at: number): number {
  return read16(bytes, at) * 0x10000 + read16(bytes, at + 2);
}

/** Exact up to 2^53, which is beyond any times and sizes. */
export function read64(bytes: Uint8Array, at: number): number {
  return read32(bytes, at) * 2 ** 32 + read32(bytes, at + 4);
}

export function box(type: string, ...parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concat([boxHead(type, length), ...parts]);
}

export function fullBox(type: string, versionAndFlags: number, ...parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  return box(type, u32(versionAndFlags), ...parts);
}

export function boxHead(type: string, contentBytes: number): Uint8Array<ArrayBuffer> {
  return concat([u32(contentBytes + BOX_HEADER), ascii(type)]);
}

/** @param values row by row */
export function table(columns: number, values: readonly number[]): Uint8Array<ArrayBuffer> {
  return concat([u32(values.length / columns), words(values)]);
}

export function ascii(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

export function u16(...values: readonly number[]): readonly number[] {
  return values.flatMap((value) => [(value >>> 8) & 0xff, value & 0xff]);
}

export function u32(...values: readonly number[]): Uint8Array<ArrayBuffer> {
  return words(values);
}

export function u64(value: number): Uint8Array<ArrayBuffer> {
  return u32(Math.floor(value / 2 ** 32), value % 2 ** 32);
}

/** Negative values are written as two's complement. */
export function words(values: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value);
  return bytes;
}
