import { oneLine } from '../util/text.ts';

/** Pixels for the texts of a row in a sidebar of 300 pixels, the default. test/ui/rowWidths.test.ts measures them. */
export const ROOM = { stream: 218, decoratedStream: 199, session: 210, recording: 238 } as const;

// Widths of the characters from " " to "~" in Open Sans, a wide font, in half pixels and base 36.
const NAME_WIDTHS: readonly string[] = [
  // On a screen of one pixel for each CSS pixel, each character takes whole pixels.
  '66agemi688ee686aeeeeeeeeee66eeecogggieeik86geokkgkgeeigogee8a8ec8egcge9eg66e6oggggacagekeecaeae',
  // On others, it takes what it needs.
  '77ahflj688ef787affffffffff77fffbnghgjedjj77genkkgkgeejgofff9a9fb7egcgf9eg77e7oggggbc9gdkedcaeaf',
];
const DESCRIPTION_WIDTHS =
  '66ageki688ee6868eeeeeeeeee66eeeamgggiecii66ecmiieieeeiemeee888ea6eecee8ee66c6meeeeac8ecicccaeae';
const ASCII_FIRST = 0x20;
const ELLIPSIS_WIDTH = 10;
const GAP = 6;
// What is left of a name says nothing if it is shorter.
const LEAST_CHARACTERS = 10;

/** Cuts a name so that VS Code doesn't cut the description after it. The tooltip has the whole name. */
export function fitLabel(name: string, description: string | undefined, room: number): string {
  const whole = oneLine(name);
  const left = room - (description === undefined ? 0 : GAP + pixelsOf(description, DESCRIPTION_WIDTHS));
  const length = Math.min(...NAME_WIDTHS.map((widths) => fittingLength(whole, left, widths)));
  return length === whole.length ? whole : oneLine(name, length + 1);
}

function fittingLength(text: string, room: number, widths: string): number {
  if (pixelsOf(text, widths) <= room) return text.length;
  let pixels = ELLIPSIS_WIDTH;
  let length = 0;
  for (const character of text) {
    pixels += widthOf(character, widths);
    if (pixels > room && length >= LEAST_CHARACTERS) break;
    length += character.length;
  }
  return length;
}

function pixelsOf(text: string, widths: string): number {
  let pixels = 0;
  for (const character of text) pixels += widthOf(character, widths);
  return pixels;
}

function widthOf(character: string, widths: string): number {
  const code = character.codePointAt(0) ?? 0;
  const width = widths[code - ASCII_FIRST];
  if (width !== undefined) return Number.parseInt(width, 36) / 2;
  if (character === '·') return 3;
  if (isInvisible(code)) return 0;
  // Chinese, Japanese, Korean, and pictures are as wide as high, or a little wider.
  return code < 0x1100 ? 9 : 16;
}

// The isolates of `oneLine`, and what joins pictures.
function isInvisible(code: number): boolean {
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x2066 && code <= 0x2069) || code === 0xfe0f;
}
