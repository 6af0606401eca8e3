/** Characters that steer the direction of text, and could end an isolate of ours. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Characters that take no ink: spaces, controls, what text engines ignore (zero-width ones, fillers), and the empty braille cell. */
const INVISIBLE = String.raw`\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800`;
const VISIBLE = new RegExp(`[^${INVISIBLE}]`, 'u');
const INVISIBLE_BEGINNING = new RegExp(`^[${INVISIBLE}]+`, 'u');

/** Is there nothing to see of a text? */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** At most `max` UTF-16 units, the last of them "…" where something was cut; never half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = isHighSurrogate(text.charCodeAt(max - 2)) ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}

/** One line of a text from outside, safe to stand in a row: no control characters, cut, isolated where it runs right to left. */
export function oneLine(text: string, max = 200): string {
  // Cut before as well, so that a name of megabytes costs nothing.
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

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
