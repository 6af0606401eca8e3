// Bidirectional controls, which could end the isolate that `oneLine` adds.
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

// Invisible characters: spaces, controls, ignorable ones (zero-width, fillers), and the empty braille cell.
const INVISIBLE = String.raw`\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800`;
const VISIBLE = new RegExp(`[^${INVISIBLE}]`, 'u');
const INVISIBLE_BEGINNING = new RegExp(`^[${INVISIBLE}]+`, 'u');

export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** Shortens a string to at most `max` UTF-16 units, without splitting a surrogate pair. */
export function truncate(text: string, max: number): string {
  return text.slice(0, text.length > max && isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max);
}

/** Like truncate, but a string that is shortened ends in "…". */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${truncate(text, max - 1)}…`;
}

/** Returns external text without control characters, cut, and isolated if it has right-to-left scripts. */
export function oneLine(text: string, max = 200): string {
  // Cuts first as well, so that a name of megabytes isn't expensive.
  const plain = text
    .replace(INVISIBLE_BEGINNING, '')
    .slice(0, max * 4)
    .toWellFormed()
    .replace(BIDI_CONTROLS, '')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const short = cut(plain, max);
  return RIGHT_TO_LEFT.test(short) ? `\u2068${short}\u2069` : short;
}

/** Whether the string is present and not empty. */
export function hasText(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** Joins the parts of a description with dots, skipping missing, false, and empty ones. Undefined if none is left. */
export function joinParts(...parts: readonly (string | false | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(' · ') || undefined;
}

/** Joins the parts with commas, for screen readers, which don't read the dots. */
export function joinWords(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}

/** Joins the parts with spaces, for sentences and words. */
export function joinTexts(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(' ');
}

/** Escapes a string for HTML, also within a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Decodes percent-encoded text; returns it as it is if it isn't encoded correctly. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
