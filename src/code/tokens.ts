import { STREAM_KEY_SHAPE } from '../api/ids.ts';

const IS_PART = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') IS_PART[char.charCodeAt(0)] = 1;

const HYPHEN = 45;
const UNDERSCORE = 95;

/** Matches possible keys: short enough to compare, too long to be a word. */
const KEY = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{10,126})[A-Za-z0-9]$/;
/** Shorter runs of characters are never a key. */
export const SHORTEST_KEY = 12;
// A Base64-encoded private key has about 330 characters. Longer runs are data.
const LONGEST_KEY = 400;
// Words in code are shorter or have no digit.
const LONG = 20;
const STREAM_KEY = new RegExp(`^${STREAM_KEY_SHAPE}$`);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const PLAYBACK_ID = /^(?=.*[0-9])[a-z0-9]{16}$/;

/** Whether the token has the shape of the ID of a stream or session, or of a playback ID. */
export function mayBeId(token: string): boolean {
  return UUID.test(token) || PLAYBACK_ID.test(token);
}

/** Whether a key can be distinguished from the source text around it. */
export function canBeFound(key: string): boolean {
  return KEY.test(key);
}

/** A digit, or four letters without a vowel. */
const NOT_A_WORD = /[0-9]|(?:^|-)[^aeiouy-]{4}(?:-|$)/;

/** Whether the token has the shape of generated stream keys. Words alone ("this-that-have-some") don't. */
export function hasStreamKeyShape(token: string): boolean {
  return STREAM_KEY.test(token) && NOT_A_WORD.test(token);
}

/**
 * Calls `visit` with the bounds of each run of letters, digits, hyphens, and underscores that is long enough for a key,
 * without the hyphens and underscores around it. Offsets are in UTF-16 units.
 */
export function eachToken(text: string, visit: (start: number, end: number) => void): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    if (IS_PART[text.charCodeAt(at)] !== 1) {
      at += 1;
      continue;
    }
    let start = at;
    while (at < length && IS_PART[text.charCodeAt(at)] === 1) at += 1;
    if (at - start < SHORTEST_KEY) continue;
    let end = at;
    while (start < end && isJoint(text.charCodeAt(start))) start += 1;
    while (end > start && isJoint(text.charCodeAt(end - 1))) end -= 1;
    if (end - start >= SHORTEST_KEY) visit(start, end);
  }
}

/**
 * Whether `start` to `end` (exclusive) and the characters of tokens on both sides are long enough for a key. If not,
 * typing there didn't create a token.
 */
export function isPartOfLongRun(text: string, start: number, end: number): boolean {
  let [from, to] = [start, end];
  while (from > 0 && to - from < SHORTEST_KEY && IS_PART[text.charCodeAt(from - 1)] === 1) from -= 1;
  while (to < text.length && to - from < SHORTEST_KEY && IS_PART[text.charCodeAt(to)] === 1) to += 1;
  return to - from >= SHORTEST_KEY;
}

/** Whether the line may contain a key of some service, so that loading the key index is worthwhile. */
export function mayHoldKey(line: string): boolean {
  let may = false;
  if (line.length < SHORTEST_KEY) return may;
  eachToken(line, (start, end) => {
    if (may || end - start > LONGEST_KEY || (end - start < LONG && (end - start) % 5 !== 4)) return;
    const token = line.slice(start, end);
    may = (end - start >= LONG && /[0-9]/.test(token) && /[A-Za-z]/.test(token)) || hasStreamKeyShape(token);
  });
  return may;
}

function isJoint(code: number): boolean {
  return code === HYPHEN || code === UNDERSCORE;
}
