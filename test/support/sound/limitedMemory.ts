/** The memory section of the decoder's module, as it ships: one memory, 256 pages at first and 32,768 at most. */
const SECTION = Buffer.of(5, 7, 1, 1, 0x80, 2, 0x80, 0x80, 2);

/** Returns a copy of the decoder's module whose memory has so many pages of 64 KiB, 16,383 at most, and can't grow. */
export function limitMemory(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(wasm);
  const at = Buffer.from(wasm).indexOf(SECTION);
  if (at < 0) throw new Error('The memory of the module is described in another way: see its section 5');
  const [low, high] = [(pages & 0x7f) | 0x80, pages >> 7];
  // LEB128. The second number keeps its three bytes.
  copy.set([low, high, low, high | 0x80, 0], at + 4);
  return copy;
}
