import { ownValue } from '../util/ownValue.ts';
import { escapeHtml } from '../util/text.ts';

/** Writes a string in a language, so that none of it is read as code. */
type LiteralWriter = (text: string) => string;

interface Quoting {
  readonly quote: '"' | "'";
  /** Characters to escape besides the quote, the backslash, and invisible ones. */
  readonly special?: RegExp;
  /** Characters that have a meaning even after a backslash, and are written by number. */
  readonly unwritable?: RegExp;
  /** Default: '\\n', '\\r', and '\\t'. */
  readonly named?: Readonly<Record<string, string>>;
  /** Writes an invisible character that has no name. */
  readonly numbered: (character: string) => string;
}

// Includes characters that change the direction of text, which could make code look like other code.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufeff]/u;
const LINES_AND_TABS = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function quoted({ quote, special, unwritable, named = LINES_AND_TABS, numbered }: Quoting): LiteralWriter {
  const write = (character: string): string => {
    if (character === quote || character === '\\' || special?.test(character) === true) return `\\${character}`;
    const isPlain = !INVISIBLE.test(character) && unwritable?.test(character) !== true;
    return isPlain ? character : (named[character] ?? numbered(character));
  };
  return (text) => quote + Array.from(text.toWellFormed(), write).join('') + quote;
}

/** Only the quote and the backslash have a meaning in such a string, and it may contain line breaks. */
function verbatim(text: string): string {
  return `'${withoutNul(text).replace(/[\\']/g, '\\$&')}'`;
}

function markup(text: string): string {
  return escapeHtml(withoutNul(text));
}

// For languages in which NUL can't be escaped.
function withoutNul(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
const unitsOf = (character: string): readonly number[] => character.split('').map((unit) => unit.charCodeAt(0));

const fourDigits = (character: string): string =>
  unitsOf(character)
    .map((unit) => `\\u${hex(unit, 4)}`)
    .join('');
const inBraces = (character: string): string => `\\u{${hex(codeOf(character), 1)}}`;
const fourOrEightDigits = (character: string): string => {
  const code = codeOf(character);
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
};
const bytes = (base: 8 | 10) => (character: string) =>
  Array.from(Buffer.from(character), (byte) => `\\${byte.toString(base).padStart(3, '0')}`).join('');

const javascript = quoted({ quote: "'", numbered: fourDigits });
// Sass and Less interpolate into strings.
const css = quoted({
  ...{ quote: '"', unwritable: /[#@]/, named: {} },
  numbered: (character) => `\\${hex(codeOf(character), 1)} `,
});
// Two question marks begin a trigraph.
const c = quoted({ quote: '"', special: /\?/, numbered: bytes(8) });
const json: LiteralWriter = (text) => JSON.stringify(text.toWellFormed());

/** In other languages, which have no literals or unknown ones, strings are inserted as they are. */
const WRITERS: Readonly<Record<string, LiteralWriter>> = {
  javascript,
  javascriptreact: javascript,
  typescript: javascript,
  typescriptreact: javascript,
  python: quoted({ quote: "'", numbered: fourOrEightDigits }),
  go: quoted({ quote: '"', numbered: fourOrEightDigits }),
  java: quoted({ quote: '"', numbered: fourDigits }),
  csharp: quoted({ quote: '"', numbered: fourDigits }),
  kotlin: quoted({ quote: '"', special: /\$/, numbered: fourDigits }),
  dart: quoted({ quote: "'", special: /\$/, numbered: inBraces }),
  rust: quoted({ quote: '"', numbered: inBraces }),
  swift: quoted({ quote: '"', numbered: inBraces }),
  lua: quoted({ quote: "'", numbered: bytes(10) }),
  c,
  cpp: c,
  css,
  scss: css,
  less: css,
  ruby: verbatim,
  php: verbatim,
  json,
  jsonc: json,
  yaml: json,
  html: markup,
  vue: markup,
  svelte: markup,
  xml: markup,
  shellscript: shellWord,
};

export function literal(text: string, languageId: string): string {
  return ownValue(WRITERS, languageId)?.(text) ?? text;
}

/** Returns a string without quotes and backslashes as it's written in a string of the language, with any quotes. */
export function stringContent(text: string, languageId: string): string {
  return literal(text, languageId).replace(/^(["'])(.*)\1$/s, '$2');
}

/** Returns a JavaScript literal that is also safe in an HTML script element. */
export function scriptString(text: string): string {
  return javascript(text).replaceAll('<', '\\x3C');
}

export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
