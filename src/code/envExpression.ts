/** What replaces the columns `start` to `end` (exclusive) of the line. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Where a key stands: its columns in the line, and the text of all lines above it. */
export interface KeyRange {
  readonly languageId: string;
  readonly line: string;
  readonly above: string;
  readonly start: number;
  readonly end: number;
}

/** Lines that are inserted above a line, with its number. */
export interface LineInsert {
  readonly line: number;
  readonly text: string;
}

interface Language {
  /** The expression that reads a variable, given the text above the line. */
  readonly read: (name: string, above: string) => string;
  /** The import that the expression needs. undefined if it is there, or where it isn't certain. */
  readonly import?: (above: readonly string[]) => LineInsert | undefined;
  readonly quotes: string;
  readonly comment: RegExp;
  /** Quotes of strings that may span lines: an odd number of them above leaves open what the line is part of. */
  readonly longQuotes?: readonly string[];
  /** Lines on which an expression may not stand for a string. */
  readonly constant?: RegExp;
  /** Rewrites a string that holds more than the key. undefined where it isn't certain. */
  readonly within?: (parts: StringParts) => string | undefined;
  /** In JSX, an attribute takes an expression in braces. */
  readonly hasAttributes?: boolean;
}

interface StringParts {
  readonly quote: string;
  readonly before: string;
  readonly after: string;
  readonly read: string;
}

const SLASHES = /^\/\//;
const HASH = /^#/;
const USES_SYSTEM = /^\s*(?:global\s+)?using\s+System\s*;/;

const template = ({ quote, before, after, read }: StringParts): string | undefined => {
  if (before.includes('${')) return undefined;
  if (quote === '`') return `\`${before}\${${read}}${after}\``;
  return /[`\\]|\$\{/.test(before + after) ? undefined : `\`${before}\${${read}}${after}\``;
};

const joinedBy =
  (operator: string) =>
  ({ quote, before, after, read }: StringParts): string => {
    const parts = [before === '' ? [] : quote + before + quote, read, after === '' ? [] : quote + after + quote];
    return parts.flat().join(` ${operator} `);
  };

const SCRIPT: Language = {
  read: (name) => `process.env.${name}`,
  quotes: '\'"`',
  comment: SLASHES,
  longQuotes: ['`'],
  constant: /^\s*(?:export\s+)?(?:declare\s+)?(?:type|import|enum|interface)\b/,
  within: template,
};
const SCRIPT_WITH_JSX: Language = { ...SCRIPT, hasAttributes: true };

const LANGUAGES: Readonly<Record<string, Language>> = {
  javascript: SCRIPT_WITH_JSX,
  javascriptreact: SCRIPT_WITH_JSX,
  typescript: SCRIPT,
  typescriptreact: SCRIPT_WITH_JSX,
  python: {
    read: (name) => `os.environ["${name}"]`,
    quotes: '\'"',
    comment: HASH,
    longQuotes: ['"""', "'''"],
    within: joinedBy('+'),
    import: pythonImport,
  },
  go: {
    read: (name) => `os.Getenv("${name}")`,
    quotes: '"`',
    comment: SLASHES,
    longQuotes: ['`'],
    constant: /\bconst\b/,
    within: joinedBy('+'),
    import: goImport,
  },
  ruby: { read: (name) => `ENV.fetch("${name}")`, quotes: '\'"', comment: HASH, within: joinedBy('+') },
  php: {
    read: (name) => `getenv('${name}')`,
    quotes: '\'"',
    comment: /^(?:\/\/|#)/,
    constant: /\b(?:const|public|private|protected|static|var)\b|<[A-Za-z][^>]*=\s*["']/,
    within: joinedBy('.'),
  },
  java: {
    read: (name) => `System.getenv("${name}")`,
    quotes: '"',
    comment: SLASHES,
    longQuotes: ['"""'],
    constant: /@\w+\s*\(|\bcase\b/,
    within: joinedBy('+'),
  },
  csharp: {
    read: (name, above) => {
      const isUsed = splitLines(above).some((line) => USES_SYSTEM.test(line));
      return `${isUsed ? '' : 'System.'}Environment.GetEnvironmentVariable("${name}")`;
    },
    quotes: '"',
    comment: SLASHES,
    longQuotes: ['"""'],
    constant: /\bconst\b|\bcase\b|^\s*\[/,
    within: joinedBy('+'),
  },
  rust: {
    read: (name) => `std::env::var("${name}").unwrap()`,
    quotes: '"',
    comment: SLASHES,
    constant: /\b(?:const|static)\b|#\[/,
  },
};

/** Longer lines are data, on which regular expressions could take seconds. */
const LONGEST_LINE = 10_000;

/** What may stand before and after an expression: nothing there can bind to it, or take it for a key or a type. */
const BEFORE_EXPRESSION = /(?:^|[=(,[{:+?]|=>|&&|\|\||\breturn)\s*$/;
const AFTER_EXPRESSION = /^\s*(?:$|[,;)\]}+])/;
const JSX_ATTRIBUTE = /<[A-Za-z][\w.]*(?:\s[^<>]*)?\s[\w:-]+=$/;
const MAYBE_ATTRIBUTE = /^\s*[\w:-]+=$/;

/**
 * Returns how a key is replaced by the expression that reads the variable `name`. undefined where that isn't certain: in
 * a comment, in a constant, in a string that spans lines or has a prefix, in a language without such an expression, in a
 * line of more than 10,000 characters.
 */
export function envExpression(place: KeyRange, name: string): LineEdit | undefined {
  const { languageId, line } = place;
  if (line.length > LONGEST_LINE) return undefined;
  if (languageId === 'yaml' || languageId === 'dockercompose') return inYaml(place, name);
  if (languageId === 'shellscript') return inShell(place, name);
  const language = LANGUAGES[languageId];
  return language && inCode(place, language, language.read(name, place.above));
}

/** Returns the import that the expression needs. undefined if it is there, if there is none, or where it isn't certain. */
export function envImport({
  languageId,
  above,
}: {
  readonly languageId: string;
  readonly above: string;
}): LineInsert | undefined {
  return LANGUAGES[languageId]?.import?.(splitLines(above));
}

/** Of a line that is too long, only the beginning. */
function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).map((line) => line.slice(0, LONGEST_LINE));
}

function inCode(place: KeyRange, language: Language, read: string): LineEdit | undefined {
  const { line, above, start, end } = place;
  if (language.constant?.test(line) || isInLongString(above, language)) return undefined;
  const string = stringAround(place, language);
  if (string === undefined) return undefined;
  const { open, close } = string;
  const [left, right] = [line.slice(0, open), line.slice(close + 1)];
  const isAttribute = language.hasAttributes === true && JSX_ATTRIBUTE.test(left);
  if (!isAttribute) {
    if (!BEFORE_EXPRESSION.test(left) || !AFTER_EXPRESSION.test(right)) return undefined;
    if (language.hasAttributes === true && MAYBE_ATTRIBUTE.test(left)) return undefined;
  }
  const [quote = '', before, after] = [line[open], line.slice(open + 1, start), line.slice(end, close)];
  const text = before === '' && after === '' ? read : language.within?.({ quote, before, after, read });
  return text === undefined ? undefined : { start: open, end: close + 1, text: isAttribute ? `{${text}}` : text };
}

function isInLongString(above: string, { longQuotes }: Language): boolean {
  const count = (longQuotes ?? []).reduce((sum, quote) => sum + countOf(above, quote), 0);
  return count % 2 === 1;
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** The quotes of the string in the line that holds the key. */
function stringAround(
  { line, start, end }: KeyRange,
  { quotes, comment }: Language,
): { readonly open: number; readonly close: number } | undefined {
  let at = 0;
  while (at < start) {
    if (comment.test(line.slice(at, at + 2))) return undefined;
    if (!quotes.includes(line[at] ?? '')) {
      at += 1;
      continue;
    }
    const close = closingQuote(line, at);
    if (close === undefined) return undefined;
    if (close >= end) return { open: at, close };
    at = close + 1;
  }
  return undefined;
}

function closingQuote(line: string, open: number): number | undefined {
  for (let at = open + 1; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === line[open]) return at;
  }
  return undefined;
}

function inShell({ line, above, start, end }: KeyRange, name: string): LineEdit | undefined {
  const text = above + line.slice(0, start);
  // A here-document and a command in a string have quotes of their own.
  if (text.includes('<<')) return undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\\' && quote !== "'") at += 1;
    else if (quote === '"' && (char === '`' || text.startsWith('$(', at))) return undefined;
    else if (char === quote) quote = undefined;
    else if (quote === undefined && (char === '"' || char === "'")) quote = char;
    else if (char === '#' && quote === undefined && (at === 0 || /\s/.test(text.charAt(at - 1)))) {
      const lineEnd = text.indexOf('\n', at);
      if (lineEnd === -1) return undefined;
      at = lineEnd;
    }
  }
  if (quote === '"') return { start, end, text: `\${${name}}` };
  return { start, end, text: quote === "'" ? `'"\${${name}}"'` : `"\${${name}}"` };
}

/** YAML itself reads no variables; what reads the file does, as Docker Compose and most CI services. */
function inYaml({ line, start, end }: KeyRange, name: string): LineEdit | undefined {
  const before = line.slice(0, start);
  const unquoted = withoutYamlStrings(before);
  if (/(?:^|\s)#/.test(unquoted)) return undefined;
  const isInQuotes = /["']/.test(unquoted);
  const isInFlow = !isInQuotes && /[[{]/.test(unquoted);
  return { start, end, text: isInFlow ? `"\${${name}}"` : `\${${name}}` };
}

/** Quotes that are not closed stay. */
function withoutYamlStrings(text: string): string {
  const neverClosed = new Set<string>();
  let kept = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const isQuote = (char === '"' || char === "'") && !neverClosed.has(char);
    const close = isQuote ? closingYamlQuote(text, at) : undefined;
    if (close !== undefined) at = close;
    else kept += char;
    if (isQuote && close === undefined) neverClosed.add(char);
  }
  return kept;
}

function closingYamlQuote(text: string, open: number): number | undefined {
  const quote = text[open];
  for (let at = open + 1; at < text.length; at += 1) {
    if (quote === '"' && text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return undefined;
}

const PYTHON_OS = /^import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*os(?:\.\w+)?\s*(?:$|[,;#])/;
const PYTHON_MODULE = /^import\s+([\w.]+)[^\\(]*$/;
const PYTHON_FIRST_LINES = /^#(?:!|.*coding[:=])/;

function pythonImport(above: readonly string[]): LineInsert | undefined {
  const start = afterPythonHeader(above);
  if (start === undefined || above.slice(start).some((line) => PYTHON_OS.test(line))) return undefined;
  const first = above[start] ?? '';
  // IPython's commands have to come first in a cell.
  if (/^[%!]/.test(first)) return undefined;
  let line = start;
  if (/^(?:import|from)\s/.test(first)) {
    while (sortsBefore(PYTHON_MODULE.exec(above[line] ?? '')?.[1], 'os')) line += 1;
    return { line, text: 'import os\n' };
  }
  while (line > 0 && isPythonComment(above[line - 1] ?? '')) line -= 1;
  const isBelowText = line > 0 && above[line - 1]?.trim() !== '';
  return { line, text: `${isBelowText ? '\n' : ''}import os\n\n` };
}

/** The first line of code: nothing may stand above comments, the docstring, and imports from __future__. */
function afterPythonHeader(lines: readonly string[]): number | undefined {
  let at = 0;
  while (at < lines.length - 1) {
    const line = lines[at] ?? '';
    const [opening, quote] = /^[rRuU]?("""|'''|"|')/.exec(line) ?? [];
    if (opening !== undefined && quote !== undefined) {
      const end = line.includes(quote, opening.length) ? at : closingLine(lines, quote, at + 1);
      if (end === -1) return undefined;
      at = end + 1;
    } else if (/^from\s+__future__\s/.test(line)) {
      if (/\\$|\([^)]*$/.test(line)) return undefined;
      at += 1;
    } else if (line.trim() === '' || line.startsWith('#')) at += 1;
    else break;
  }
  return at;
}

/** -1 for a string that has to end in its line. */
function closingLine(lines: readonly string[], quote: string, from: number): number {
  if (quote.length < 3) return -1;
  let at = from;
  while (at < lines.length && !lines[at]?.includes(quote)) at += 1;
  return at < lines.length ? at : -1;
}

function isPythonComment(line: string): boolean {
  return line.startsWith('#') && !PYTHON_FIRST_LINES.test(line);
}

const GO_PATH = /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"]+)"/;
const GO_OS = /^\s*(?:import\s+)?"os"/;

function goImport(above: readonly string[]): LineInsert | undefined {
  const start = above.findIndex((line) => /^package\s+\w+/.test(line));
  const first = above.findIndex((line, at) => at > start && line.trim() !== '' && !line.startsWith('//'));
  if (start === -1 || above.slice(0, first === -1 ? undefined : first + 1).some((line) => line.includes('/*'))) {
    return undefined;
  }
  if (above.some((line) => GO_OS.test(line))) return undefined;
  const opening = above[first] ?? '';
  const isBlock = /^import\s*\($/.test(opening);
  if (!isBlock && !/^import\s/.test(opening)) return { line: start + 1, text: '\nimport "os"\n' };
  if (!isBlock && !GO_PATH.test(opening)) return undefined;
  let line = isBlock ? first + 1 : first;
  while (sortsBefore(GO_PATH.exec(above[line] ?? '')?.[1], 'os')) line += 1;
  return { line, text: isBlock ? '\t"os"\n' : 'import "os"\n' };
}

function sortsBefore(name: string | undefined, other: string): boolean {
  return name !== undefined && name < other;
}
