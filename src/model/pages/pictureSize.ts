export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const [SOI, EOI, SOS] = [0xd8, 0xd9, 0xda];
/** JPEG frame headers: C0 to CF, except DHT, JPG and DAC. */
const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const hasNoLength = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= EOI);

/**
 * Reads a picture's size from its header; undefined if it has none. Decoders allocate memory for that size: 62 bytes
 * can become 3 GB.
 */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return READERS.find(({ begins }) => begins(view))?.read(view);
  } catch (error) {
    // The data ends before the size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const READERS: readonly {
  readonly begins: (view: DataView) => boolean;
  readonly read: (view: DataView) => PictureSize | undefined;
}[] = [
  { begins: (view) => hasText(view, 1, 'PNG\r\n\x1a\n') && hasText(view, 12, 'IHDR'), read: readPng },
  { begins: (view) => hasText(view, 0, 'GIF8'), read: readGif },
  { begins: (view) => view.getUint16(0) === 0xff00 + SOI, read: readJpeg },
  { begins: (view) => hasText(view, 0, 'RIFF') && hasText(view, 8, 'WEBP'), read: readWebp },
];

function readPng(view: DataView): PictureSize {
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

const [EXTENSION, FRAME] = [0x21, 0x2c];

/** Like browsers, returns the logical screen, extended if the first frame exceeds it. */
function readGif(view: DataView): PictureSize | undefined {
  const flags = view.getUint8(10);
  const colors = flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
  let at = 13 + colors;
  while (view.getUint8(at) === EXTENSION) at = afterBlocks(view, at + 2);
  if (view.getUint8(at) !== FRAME) return undefined;
  const read = (place: number): number => view.getUint16(place, true);
  const [right, bottom] = [read(at + 1) + read(at + 5), read(at + 3) + read(at + 7)];
  return { width: Math.max(read(6), right), height: Math.max(read(8), bottom) };
}

/** Returns the offset after a sequence of length-prefixed blocks, which ends with an empty one. */
function afterBlocks(view: DataView, from: number): number {
  let at = from;
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
  return at + 1;
}

function readJpeg(view: DataView): PictureSize | undefined {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (isFrameHeader(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === SOS || marker === EOI) return undefined;
    // Fill bytes (ff) may precede a marker.
    if (marker === 0xff) at += 1;
    else at += hasNoLength(marker) ? 2 : 2 + view.getUint16(at + 2);
  }
}

function readWebp(view: DataView): PictureSize | undefined {
  if (hasText(view, 12, 'VP8X')) return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (hasText(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (!hasText(view, 12, 'VP8 ') || uint24(view, 23) !== 0x2a019d) return undefined;
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

function hasText(view: DataView, at: number, text: string): boolean {
  return [...text].every((sign, index) => view.getUint8(at + index) === sign.charCodeAt(0));
}
