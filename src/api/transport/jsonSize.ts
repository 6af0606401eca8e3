/**
 * Objects and lists at most. The leanest rows of a service, with four renditions each, have some 90 bytes for each of
 * theirs: 64 MiB of them are not as many.
 */
const MOST_CONTAINERS = 1_000_000;
/** Values at most: 11 bytes each, with name and quotes, in a body of 64 MiB. */
const MOST_VALUES = 6_000_000;

const [BRACE, BRACKET, COMMA] = [0x7b, 0x5b, 0x2c];

/**
 * How much a parser would make of JSON, counted in its bytes as they come: twenty million empty objects are 61 KB of gzip
 * and 2 GB of memory. Signs within texts count as well.
 */
export class JsonSize {
  #containers = 0;
  #values = 0;

  /** True once it is too much. */
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
