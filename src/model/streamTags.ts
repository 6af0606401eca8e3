import type { JsonObject } from '../api/decode.ts';
import { isRecord } from '../util/isRecord.ts';
import { parseJson } from '../util/parseJson.ts';
import { isSameJson } from '../util/sameJson.ts';

/** Why something can't be the tags of a stream. */
export type TagsProblem =
  | { readonly kind: 'notObject' }
  /** The value of this tag is no string, number, or list of these. */
  | { readonly kind: 'value'; readonly name: string }
  /** That many characters are too many. */
  | { readonly kind: 'tooLong'; readonly length: number };

export type ReadTags =
  | { readonly ok: true; readonly tags: JsonObject }
  | { readonly ok: false; readonly problem: TagsProblem };

/** In all, as JSON without spaces (src/api/README.md, Changes). */
export const TAGS_LENGTH_AT_MOST = 2048;

/** Reads tags that were typed as JSON. Nothing at all stands for no tags. */
export function parseTags(text: string, before: JsonObject | undefined): ReadTags {
  return readTags(text.trim() === '' ? {} : parseJson(text), before);
}

/** @param before the tags as the service has them. What it holds stays possible, whatever its kind. */
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
