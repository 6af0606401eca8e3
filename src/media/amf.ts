import { ProtocolError } from './protocolError.ts';

/** A date is decoded as a number (milliseconds), and an ECMA array or a typed object as an object. */
export type AmfValue = AmfObject | boolean | null | number | readonly AmfValue[] | string | undefined;

export interface AmfObject {
  readonly [key: string]: AmfValue;
}

const MARKER = {
  number: 0x00,
  boolean: 0x01,
  string: 0x02,
  object: 0x03,
  null: 0x05,
  undefined: 0x06,
  ecmaArray: 0x08,
  objectEnd: 0x09,
  strictArray: 0x0a,
  date: 0x0b,
  longString: 0x0c,
  unsupported: 0x0d,
  xml: 0x0f,
  typedObject: 0x10,
} as const;

const DEEPEST = 16;
const MOST_VALUES = 4096;
const LONGEST_SHORT_STRING = 0xffff;

/** Encodes AMF0. Throws a RangeError if a value is nested too deeply, or has too many parts or a key over 65,535 B. */
export function encodeAmf(values: readonly AmfValue[]): Buffer {
  const parts: Buffer[] = [];
  for (const value of values) encodeValue(parts, value, 0);
  return Buffer.concat(parts);
}

function encodeValue(parts: Buffer[], value: AmfValue, depth: number): void {
  if (depth > DEEPEST || parts.length > MOST_VALUES) throw new RangeError('An AMF value is too large');
  if (typeof value === 'number') parts.push(marker(MARKER.number), float64(value));
  else if (typeof value === 'boolean') parts.push(Buffer.of(MARKER.boolean, value ? 1 : 0));
  else if (typeof value === 'string') parts.push(...encodeString(value));
  else if (value === null) parts.push(marker(MARKER.null));
  else if (value === undefined) parts.push(marker(MARKER.undefined));
  else if (isArray(value)) {
    parts.push(marker(MARKER.strictArray), uint32(value.length));
    for (const item of value) encodeValue(parts, item, depth + 1);
  } else encodeObject(parts, value, depth);
}

function isArray(value: AmfObject | readonly AmfValue[]): value is readonly AmfValue[] {
  return Array.isArray(value);
}

function encodeObject(parts: Buffer[], value: AmfObject, depth: number): void {
  parts.push(marker(MARKER.object));
  for (const [key, item] of Object.entries(value)) {
    parts.push(shortString(Buffer.from(key)));
    encodeValue(parts, item, depth + 1);
  }
  parts.push(Buffer.of(0, 0, MARKER.objectEnd));
}

function encodeString(value: string): readonly Buffer[] {
  const bytes = Buffer.from(value);
  if (bytes.length <= LONGEST_SHORT_STRING) return [marker(MARKER.string), shortString(bytes)];
  return [marker(MARKER.longString), uint32(bytes.length), bytes];
}

function shortString(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function marker(value: number): Buffer {
  return Buffer.of(value);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function float64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

/**
 * Decodes an AMF0 message. Throws a ProtocolError if it isn't AMF0 (AMF3 and references aren't decoded), is
 * nested more than 16 deep, or has more than 4,096 values.
 */
export function decodeAmf(bytes: Buffer): readonly AmfValue[] {
  const reader = new AmfReader(bytes);
  const values: AmfValue[] = [];
  while (!reader.isAtEnd) values.push(reader.readValue(0));
  return values;
}

class AmfReader {
  readonly #bytes: Buffer;
  #offset = 0;
  #values = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  readValue(depth: number): AmfValue {
    this.#values += 1;
    if (depth > DEEPEST || this.#values > MOST_VALUES) throw malformed('nested too deeply or has too many values');
    const kind = this.#take(1)[0];
    switch (kind) {
      case MARKER.number:
        return this.#take(8).readDoubleBE();
      case MARKER.boolean:
        return this.#take(1)[0] !== 0;
      case MARKER.string:
        return this.#readShortString();
      case MARKER.longString:
      case MARKER.xml:
        return this.#take(this.#readUint32()).toString();
      case MARKER.null:
        return null;
      case MARKER.undefined:
      case MARKER.unsupported:
        return undefined;
      case MARKER.date:
        return this.#take(10).readDoubleBE();
      default:
        return this.#readCompound(kind, depth);
    }
  }

  #readCompound(kind: number | undefined, depth: number): AmfValue {
    switch (kind) {
      case MARKER.object:
        return this.#readObject(depth);
      case MARKER.ecmaArray:
        this.#readUint32(); // A hint at the number of properties, which senders get wrong
        return this.#readObject(depth);
      case MARKER.typedObject:
        this.#readShortString();
        return this.#readObject(depth);
      case MARKER.strictArray:
        return this.#readArray(depth);
      default:
        throw malformed(`has the marker ${kind}`);
    }
  }

  #readObject(depth: number): AmfObject {
    const entries: [string, AmfValue][] = [];
    for (;;) {
      const key = this.#readShortString();
      if (key === '' && this.#bytes[this.#offset] === MARKER.objectEnd) break;
      entries.push([key, this.readValue(depth + 1)]);
    }
    this.#offset += 1;
    // Not by assignment, which would set the prototype for a key "__proto__".
    return Object.fromEntries(entries);
  }

  #readArray(depth: number): readonly AmfValue[] {
    const values: AmfValue[] = [];
    // The count may be wrong, but each value takes at least one byte.
    for (let left = this.#readUint32(); left > 0; left--) values.push(this.readValue(depth + 1));
    return values;
  }

  #readShortString(): string {
    return this.#take(this.#take(2).readUInt16BE()).toString();
  }

  #readUint32(): number {
    return this.#take(4).readUInt32BE();
  }

  #take(length: number): Buffer {
    const end = this.#offset + length;
    if (end > this.#bytes.length) throw malformed('is truncated');
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }
}

function malformed(what: string): ProtocolError {
  return new ProtocolError(`An AMF0 message ${what}`);
}
