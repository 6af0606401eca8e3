import type { JsonObject } from '../api/decode.ts';
import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';
import { isSameJson } from '../util/sameJson.ts';
import { isBlank } from '../util/text.ts';

/** Why a value isn't valid as the tags of a stream. */
export type TagsProblem =
  | { readonly kind: 'notObject' }
  /** This part of the text can't be read. */
  | { readonly kind: 'notTag'; readonly part: string }
  | { readonly kind: 'twice'; readonly name: string }
  /** The value of this tag isn't a string, number, or list of these. */
  | { readonly kind: 'value'; readonly name: string }
  /** `length` characters are too many. */
  | { readonly kind: 'tooLong'; readonly length: number };

export type ReadTags =
  | { readonly ok: true; readonly tags: JsonObject }
  | { readonly ok: false; readonly problem: TagsProblem };

/** In total, as JSON without spaces (src/api/README.md, Changes). */
export const TAGS_LENGTH_AT_MOST = 2048;

/**
 * Reads tags that were typed as JSON or like `event:Summit, season:4`, also with `=` for `:`. Empty text means no tags.
 */
export function parseTags(text: string, before: JsonObject | undefined): ReadTags {
  if (text.trimStart().startsWith('{')) return readTags(parseJson(text), before);
  const tags = parsePairs(text);
  return 'kind' in tags ? { ok: false, problem: tags } : readTags(Object.fromEntries(tags), before);
}

const PAIR =
  /(?:\s*"(?<quotedName>[^"]*)"\s*|(?<name>[^",:=]+))[:=](?:\s*"(?<quotedText>[^"]*)"\s*|(?<text>[^",:=]+))(?:,|$)/uy;

function parsePairs(text: string): ReadonlyMap<string, string | number> | TagsProblem {
  const tags = new Map<string, string | number>();
  for (let at = 0; text.slice(at).trim() !== ''; at = PAIR.lastIndex) {
    PAIR.lastIndex = at;
    const found = PAIR.exec(text)?.groups ?? {};
    const name = found.quotedName ?? found.name?.trim() ?? '';
    const value = found.quotedText ?? plainValue(found.text?.trim() ?? '');
    if (isBlank(name) || value === undefined) {
      const rest = text.slice(at);
      return { kind: 'notTag', part: (rest.split(',')[0] || rest).trim() };
    }
    if (tags.has(name)) return { kind: 'twice', name };
    tags.set(name, value);
  }
  return tags;
}

/**
 * Returns a number only if written as in JSON, otherwise text ("1.10", "007"). Undefined if empty, a list, or an
 * object.
 */
function plainValue(text: string): string | number | undefined {
  if (text === '' || /^[[{]/u.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) && String(value) === text ? value : text;
}

/** Reads the value of one tag, which may contain commas and colons. Returns undefined if it can't be read. */
export function parseTagValue(text: string): unknown {
  const trimmed = text.trim();
  return /^["[{]/u.test(trimmed) ? parseJson(trimmed) : plainValue(trimmed);
}

/** Returns a value as the user would type it: as JSON only if there's no other way to write it. */
export function writeTagValue(value: unknown): string {
  const text = String(value);
  const isSame = parseTagValue(text) === value && !/\p{Cc}/u.test(text);
  return isSame ? text : JSON.stringify(value);
}

/** @param before the tags as the service has them. These stay valid, regardless of their type. */
export function readTags(value: unknown, before: JsonObject = {}): ReadTags {
  if (!isRecord(value)) return { ok: false, problem: { kind: 'notObject' } };
  const isKept = (name: string) => Object.hasOwn(before, name) && isSameJson(before[name], value[name]);
  const wrong = Object.keys(value).find((name) => !isTagValue(value[name]) && !isKept(name));
  if (wrong !== undefined) return { ok: false, problem: { kind: 'value', name: wrong } };
  const { length } = JSON.stringify(value);
  return length > TAGS_LENGTH_AT_MOST ? { ok: false, problem: { kind: 'tooLong', length } } : { ok: true, tags: value };
}

function isTagValue(value: unknown): boolean {
  return isTextOrNumber(value) || (Array.isArray(value) && value.every(isTextOrNumber));
}

function isTextOrNumber(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}
