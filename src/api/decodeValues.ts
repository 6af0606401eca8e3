import { truncate } from '../util/text.ts';

/** A JSON object from the service. The decoders here return undefined if a field is missing, null or unusable. */
export type Row = Readonly<Record<string, unknown>>;

const LONGEST_TEXT = 10_000;
const LONGEST_TOKEN = 16_384;
const NONE: readonly never[] = [];
const LAST_TIME = 8.64e15;

/** Returns the value if it is a plain object, as in JSON: all its fields are its own. Arrays aren't. */
export function toRow(value: unknown): Row | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? (value as Row) : undefined;
}

/** Returns text to display. Numbers become text; cuts after 10,000 characters. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' ? truncate(value, LONGEST_TEXT) : undefined;
}

/** Returns an id or key: printable ASCII without spaces. A line break in one would run as a command when pasted. */
export function tokenOf(value: unknown): string | undefined {
  const text = wholeOf(value);
  return text !== undefined && /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}

/** Returns a URL or secret unchanged, or undefined if it is too long: a part of one is of no use. */
export function wholeOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_TOKEN ? value : undefined;
}

/** Accepts "true" and "false" too (src/api/README.md, Streams: retrieving a stream may render booleans so). */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

export function countOf(value: unknown): number | undefined {
  const number = parseNumber(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

/** Returns a Unix time in milliseconds; 0 means never and becomes undefined. */
export function timeOf(value: unknown): number | undefined {
  const number = countOf(value);
  return number !== undefined && number > 0 && number <= LAST_TIME ? number : undefined;
}

export function textsOf(value: unknown): readonly string[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return NONE;
  const list = Array.isArray(value) ? value : [value];
  return list
    .slice(0, 100)
    .filter((item): item is string => typeof item === 'string' && item !== '')
    .map((item) => truncate(item, LONGEST_TEXT));
}

function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
