export type Bytes = Uint8Array | readonly number[];

export function concat(parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Frees the memory behind these bytes, which can't be read afterwards. Array buffers otherwise wait for a garbage
 * collection, which pages and workers with little else in their heaps delay for minutes.
 */
export function free({ buffer }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
