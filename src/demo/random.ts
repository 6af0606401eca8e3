import { createHash } from 'node:crypto';

const MIN_FOUR = 36 ** 3;

export interface Random {
  bits(): number;
  /** In [0, 1). */
  fraction(): number;
  between(low: number, high: number): number;
  /** Returns a source that depends only on the seed and the name, not on earlier draws. */
  branch(name: string): Random;
}

/** The same seed gives the same numbers (a Weyl sequence, mixed with MurmurHash3's finalizer). */
export function createRandom(seed: number): Random {
  let state = Math.trunc(seed) >>> 0;
  const bits = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x85ebca6b);
    mixed ^= mixed >>> 13;
    mixed = Math.imul(mixed, 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
  const fraction = () => bits() / 2 ** 32;
  return {
    bits,
    fraction,
    between: (low, high) => low + Math.floor(fraction() * (high - low + 1)),
    branch: (name) => createRandom(createHash('sha256').update(`${seed}/${name}`).digest().readUInt32LE()),
  };
}

export function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items[Math.floor(random.fraction() * items.length)];
}

export function makeUuid(random: Random): string {
  return uuidOf([random.bits(), random.bits(), random.bits(), random.bits()]);
}

/** Returns a UUID (version 4 format) for a name. With a 32-bit branch instead, names would soon collide. */
export function uuidFor(name: string): string {
  const hash = createHash('sha256').update(name).digest();
  return uuidOf([hash.readUInt32LE(0), hash.readUInt32LE(4), hash.readUInt32LE(8), hash.readUInt32LE(12)]);
}

function uuidOf([a, b, c, d]: readonly [number, number, number, number]): string {
  const third = quad((b & 0xfff) | 0x4000);
  const fourth = quad((c >>> 18) | 0x8000);
  return `${quad(a >>> 16)}${quad(a & 0xffff)}-${quad(b >>> 16)}-${third}-${fourth}-${quad(c & 0xffff)}${quad(d >>> 16)}${quad(d & 0xffff)}`;
}

export function makeStreamKey(random: Random): string {
  return `${letters(random)}-${letters(random)}-${letters(random)}-${letters(random)}`;
}

export function makePlaybackId(random: Random): string {
  return quad(random.bits() >>> 16) + letters(random) + letters(random) + letters(random);
}

// Four hexadecimal digits from 16 bits. Small integers for speed: a hundred thousand streams are created at once.
function quad(bits: number): string {
  return (0x10000 + bits).toString(16).slice(1);
}

function letters(random: Random): string {
  return (MIN_FOUR + (random.bits() % (36 ** 4 - MIN_FOUR))).toString(36);
}
