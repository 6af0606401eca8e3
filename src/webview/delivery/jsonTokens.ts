export interface JsonToken {
  readonly text: string;
  /** Undefined for text without a color. */
  readonly kind?: 'name' | 'string' | 'number' | 'word' | undefined;
}

/** More than events have. Each token with a color is an element of the page. */
const MOST_CHARACTERS = 100_000;
const TOKEN =
  /(?<string>"[^"\\\n]*(?:\\.[^"\\\n]*)*")(?<colon>\s*:)?|(?<number>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|\b(?:true|false|null)\b/gi;

/** Splits JSON into the parts that editors color. Cut or invalid JSON is split as far as it looks like JSON. */
export function splitJson(text: string): readonly JsonToken[] {
  if (text.length > MOST_CHARACTERS || !/^\s*[[{]/.test(text)) return [{ text }];
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const { 0: found, index, groups: { string, colon, number } = {} } of text.matchAll(TOKEN)) {
    if (index > end) tokens.push({ text: text.slice(end, index) });
    const kind = string === undefined ? (number === undefined ? 'word' : 'number') : colon ? 'name' : 'string';
    const token = string ?? found;
    tokens.push({ text: token, kind });
    end = index + token.length;
  }
  return end < text.length ? [...tokens, { text: text.slice(end) }] : tokens;
}

/** Divides the tokens of a text into its lines, without their line breaks. Only tokens without a color have any. */
export function splitLines(tokens: readonly JsonToken[]): readonly (readonly JsonToken[])[] {
  const lines: JsonToken[][] = [[]];
  for (const { text, kind } of tokens) {
    const [first = '', ...others] = text.split('\n');
    lines.at(-1)?.push({ text: first, kind });
    lines.push(...others.map((line) => [{ text: line, kind }]));
  }
  return lines.map((line) => line.filter(({ text }) => text !== ''));
}
