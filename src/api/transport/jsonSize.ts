/**
 * Maximum of objects and arrays. The smallest rows of a service, with four renditions each, have about 90 bytes per
 * object: 64 MiB of them stay below this.
 */
const MOST_CONTAINERS = 1_000_000;
/** Maximum of values: 11 bytes each, with name and quotes, in a body of 64 MiB. */
const MOST_VALUES = 6_000_000;

const [BRACE, BRACKET, COMMA] = [0x7b, 0x5b, 0x2c];

/**
 * Estimates what parsing JSON would allocate by counting its bytes as they arrive: twenty million empty objects are 61
 * KB of gzip and 2 GB of memory. Punctuation within strings counts as well. `add` returns true once it is too much.
 */
export class JsonSize {
  #containers = 0;
  #values = 0;

  add(chunk: Uint8Array): boolean {
    let [containers, values] = [0, 0];
    for (const byte of chunk) {
      if (byte === COMMA) values += 1;
      else if (byte === BRACE || byte === BRACKET) containers += 1;
    }
    this.#containers += containers;
    this.#values += values;
    return this.#containers > MOST_CONTAINERS || this.#values > MOST_VALUES;
  }
}
