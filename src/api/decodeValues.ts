/** Values out of what the service sent: `undefined` where a field is missing, null or of no use. */
export type Row = Readonly<Record<string, unknown>>;

const LONGEST_TEXT = 10_000;
const LONGEST_TOKEN = 16_384;
const NONE: readonly never[] = [];
/** The last moment a Date can hold. */
const LAST_TIME = 8.64e15;

/** A plain object, as JSON has them: all its fields are its own. Arrays are none. */
export function toRow(value: unknown): Row | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? (value as Row) : undefined;
}

/** Text for people: a number becomes text, and what is longer than 10,000 characters is cut. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' ? cutText(value, LONGEST_TEXT) : undefined;
}

/** Ids and keys: printable ASCII without spaces. A line break in one runs as a command where it is pasted. */
export function tokenOf(value: unknown): string | undefined {
  const text = wholeOf(value);
  return text !== undefined && /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}

/** Addresses and secrets: as they are or not at all, since a part of one is of no use. */
export function wholeOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_TOKEN ? value : undefined;
}

/** A boolean, also as the string "true" or "false" (src/api/README.md, Streams: retrieving a stream may render it so). */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** A finite number from 0 up, also as a numeric string. */
export function countOf(value: unknown): number | undefined {
  const number = parseNumber(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

/** Epoch ms; 0 means never. */
export function timeOf(value: unknown): number | undefined {
  const number = countOf(value);
  return number !== undefined && number > 0 && number <= LAST_TIME ? number : undefined;
}

/** The list's texts; a single text is a list of one. At most 100. */
export function textsOf(value: unknown): readonly string[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return NONE;
  const list = Array.isArray(value) ? value : [value];
  return list
    .slice(0, 100)
    .filter((item): item is string => typeof item === 'string' && item !== '')
    .map((item) => cutText(item, LONGEST_TEXT));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE;
}

function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Cuts between characters, never inside one that takes two code units. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}
