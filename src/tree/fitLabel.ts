import { oneLine } from '../util/text.ts';

/** Pixels for the texts of a row in a sidebar of 300 pixels, the default. test/ui/rowWidths.test.ts measures them. */
export const ROOM = { stream: 218, decoratedStream: 199, recording: 238 } as const;

// The widths of the characters from " " to "~" in Noto Sans of 13 pixels, a wide font, as hexadecimal pixels.
const ASCII_WIDTHS = '33587b93447734357777777777337776c8889779a4387caa8a87798c877454764786874783373c888856587a7765757';
const ASCII_FIRST = 0x20;
const ELLIPSIS_WIDTH = 10;
// VS Code draws descriptions at 0.9 em, and each character takes whole pixels. Half an em is between.
const DESCRIPTION_SCALE = 0.95;
const GAP = 7;
// What is left of a name says nothing if it is shorter.
const LEAST_CHARACTERS = 10;

/** Cuts a name so that VS Code doesn't cut the description after it. The tooltip has the whole name. */
export function fitLabel(name: string, description: string | undefined, room: number): string {
  const whole = oneLine(name);
  const left = room - (description === undefined ? 0 : GAP + DESCRIPTION_SCALE * pixelsOf(description));
  if (pixelsOf(whole) <= left) return whole;
  let pixels = ELLIPSIS_WIDTH;
  let length = 0;
  for (const character of whole) {
    pixels += widthOf(character);
    if (pixels > left && length >= LEAST_CHARACTERS) break;
    length += character.length;
  }
  return oneLine(name, length + 1);
}

function pixelsOf(text: string): number {
  let pixels = 0;
  for (const character of text) pixels += widthOf(character);
  return pixels;
}

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  const width = ASCII_WIDTHS[code - ASCII_FIRST];
  if (width !== undefined) return Number.parseInt(width, 16);
  if (character === '·') return 3;
  if (isInvisible(code)) return 0;
  // Chinese, Japanese, Korean, and pictures are as wide as high, or a little wider.
  return code < 0x1100 ? 9 : 16;
}

// The isolates of `oneLine`, and what joins pictures.
function isInvisible(code: number): boolean {
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x2066 && code <= 0x2069) || code === 0xfe0f;
}
