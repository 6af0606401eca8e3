interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const FEWEST_PIXELS = 16;
const MOST_PIXELS = 8192;
// Profiles whose parameter sets describe the colors too (ITU-T H.264, 7.3.2.1.1).
const WITH_COLORS: ReadonlySet<number> = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** Reads an H.264 sequence parameter set. Undefined if it is malformed, or smaller than 16 or larger than 8192 pixels. */
export function readPictureSize(parameterSet: Buffer): PictureSize | undefined {
  const bits = new Bits(withoutEmulation(parameterSet.subarray(1)));
  const profile = bits.take(8);
  bits.skip(16);
  bits.takeUnsigned();
  const chroma = WITH_COLORS.has(profile) ? readColors(bits) : 1;
  bits.takeUnsigned();
  skipPictureOrder(bits);
  bits.takeUnsigned();
  bits.skip(1);
  const columns = bits.takeUnsigned() + 1;
  const rows = bits.takeUnsigned() + 1;
  const fields = bits.take(1) === 1 ? 1 : 2;
  if (fields === 2) bits.skip(1);
  bits.skip(1);
  const [left, right, top, bottom] = bits.take(1) === 1 ? Array.from({ length: 4 }, () => bits.takeUnsigned()) : [];
  const crop = (one = 0, other = 0, unit = 1) => (one + other) * unit;
  const width = columns * 16 - crop(left, right, chroma === 1 || chroma === 2 ? 2 : 1);
  const height = rows * 16 * fields - crop(top, bottom, (chroma === 1 ? 2 : 1) * fields);
  const isUsable = (pixels: number) => pixels >= FEWEST_PIXELS && pixels <= MOST_PIXELS;
  return !bits.isPastEnd && isUsable(width) && isUsable(height) ? { width, height } : undefined;
}

/** Returns the chroma format: 0 for gray, 1 for 4:2:0, 2 for 4:2:2, and 3 for 4:4:4. */
function readColors(bits: Bits): number {
  const chroma = bits.takeUnsigned();
  if (chroma === 3) bits.skip(1);
  bits.takeUnsigned();
  bits.takeUnsigned();
  bits.skip(1);
  if (bits.take(1) === 0) return chroma;
  const lists = chroma === 3 ? 12 : 8;
  for (let list = 0; list < lists; list++) if (bits.take(1) === 1) skipScalingList(bits, list < 6 ? 16 : 64);
  return chroma;
}

function skipScalingList(bits: Bits, size: number): void {
  let last = 8;
  for (let index = 0; index < size; index++) {
    const next = (last + bits.takeSigned() + 256) % 256;
    if (next === 0) return;
    last = next;
  }
}

function skipPictureOrder(bits: Bits): void {
  const type = bits.takeUnsigned();
  if (type === 0) bits.takeUnsigned();
  if (type !== 1) return;
  bits.skip(1);
  bits.takeSigned();
  bits.takeSigned();
  for (let left = Math.min(bits.takeUnsigned(), 255); left > 0; left--) bits.takeSigned();
}

// A 3 after two zeros only keeps the bytes from looking like the start of a unit.
function withoutEmulation(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte, at) => !(byte === 3 && at > 1 && bytes[at - 1] === 0 && bytes[at - 2] === 0)));
}

class Bits {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isPastEnd(): boolean {
    return this.#at > this.#bytes.length * 8;
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Returns zeros after the end. */
  take(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left--) {
      const byte = this.#bytes[this.#at >> 3] ?? 0;
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1);
      this.#at += 1;
    }
    return value;
  }

  /** Reads an Exp-Golomb code. */
  takeUnsigned(): number {
    let zeros = 0;
    while (zeros < 32 && this.take(1) === 0) zeros += 1;
    return 2 ** zeros - 1 + this.take(zeros);
  }

  takeSigned(): number {
    const code = this.takeUnsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}
