const NAME = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*$/;
const LONGEST_NAME = 1000;
const QUOTES = ['"', "'", '`'] as const;
const SPACE = /\s/;

/** The variables of both halves of a signing key, in code that signs tokens. */
export const TOKEN_VARIABLES = { publicKey: 'LIVEPEER_PUBLIC_KEY', privateKey: 'LIVEPEER_PRIVATE_KEY' } as const;

export interface EnvVariable {
  readonly name: string;
  readonly value: string;
}

export interface EnvFile {
  readonly text: string;
  /** The variables that hold the values, in the same order. */
  readonly names: readonly string[];
}

/**
 * Adds variables at the end of an env file's text. Reuses variables that already hold the values; if one of the names
 * has another value, adds a number to all of them. Leaves the existing text as it is, line ends included.
 */
export function addVariables(text: string, wanted: readonly EnvVariable[]): EnvFile {
  const known = readVariables(text);
  const found = wanted.map(({ value }) => [...known].find(([, each]) => each === value)?.[0]);
  const there = found.filter((name) => name !== undefined);
  if (there.length === wanted.length) return { text, names: there };
  const isTaken = ({ name, value }: EnvVariable) => known.has(name) && known.get(name) !== value;
  let variables = wanted;
  for (let number = 2; variables.some(isTaken); number += 1) {
    variables = wanted.map(({ name, value }) => ({ name: `${name}_${number}`, value }));
  }
  const missing = variables.filter(({ name }) => !known.has(name));
  return {
    text: missing.reduce((all, { name, value }) => addLine(all, `${name}=${value}`), text),
    names: variables.map(({ name }) => name),
  };
}

/**
 * Returns the variables and their values, without quotes. The last assignment of a name wins, as in dotenv. A quote
 * that is never closed is part of the value.
 */
export function readVariables(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  const lastQuotes = new Map<string, number>(QUOTES.map((quote) => [quote, text.lastIndexOf(quote)]));
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start < text.length; ) {
    let end = lineEnd(text, start);
    const line = text.slice(start, end);
    const equals = line.indexOf('=');
    const name = equals === -1 || equals > LONGEST_NAME ? undefined : NAME.exec(line.slice(0, equals))?.[1];
    if (name !== undefined) {
      const written = line.slice(equals + 1).trimStart();
      const first = start + line.length - written.length;
      const quote = written.charAt(0);
      if ((lastQuotes.get(quote) ?? -1) > first) {
        const close = text.indexOf(quote, first + 1);
        variables.set(name, text.slice(first + 1, close).replaceAll(/\r\n?/g, '\n'));
        end = lineEnd(text, close);
      } else variables.set(name, withoutComment(written));
    }
    start = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  return variables;
}

function withoutComment(value: string): string {
  let at = value.indexOf('#', 1);
  while (at !== -1 && !SPACE.test(value.charAt(at - 1))) at = value.indexOf('#', at + 1);
  return (at === -1 ? value : value.slice(0, at)).trim();
}

export function hasLine(text: string, line: string): boolean {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .includes(line);
}

export function addLine(text: string, line: string): string {
  const first = lineEnd(text, 0);
  const newLine = text.startsWith('\r\n', first) ? '\r\n' : text.charAt(first) || '\n';
  const isEnded = text === '' || text === '\uFEFF' || /[\r\n]$/.test(text.slice(-1));
  return `${text}${isEnded ? '' : newLine}${line}${newLine}`;
}

/** Returns the offset of the next line end, or of the end of the text. */
function lineEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}
