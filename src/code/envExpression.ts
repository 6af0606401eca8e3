/** What replaces the columns `start` to `end` (exclusive) of the line. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Language {
  /** The expression that reads a variable. */
  readonly read: (name: string) => string;
  readonly quotes: string;
  readonly comment: RegExp;
  /** Rewrites a string that holds more than the key. undefined where it isn't certain. */
  readonly within?: (parts: StringParts) => string | undefined;
  /** In JSX, an attribute takes an expression in braces. */
  readonly hasAttributes?: boolean;
}

interface StringParts {
  readonly quote: string;
  /** What stands directly before the opening quote: a prefix as in f"…". */
  readonly prefix: string;
  readonly before: string;
  readonly after: string;
  readonly read: string;
}

const SLASHES = /\/\//;
const HASH = /#/;

const template = ({ quote, prefix, before, after, read }: StringParts): string | undefined => {
  if (prefix !== '') return undefined;
  if (quote === '`') return `\`${before}\${${read}}${after}\``;
  return /[`\\]|\$\{/.test(before + after) ? undefined : `\`${before}\${${read}}${after}\``;
};

const joinedBy =
  (operator: string) =>
  ({ quote, prefix, before, after, read }: StringParts): string | undefined => {
    if (prefix !== '') return undefined;
    const parts = [
      before === '' ? [] : [`${quote}${before}${quote}`],
      read,
      after === '' ? [] : [`${quote}${after}${quote}`],
    ];
    return parts.flat().join(` ${operator} `);
  };

const SCRIPT: Language = { read: (name) => `process.env.${name}`, quotes: '\'"`', comment: SLASHES, within: template };
const SCRIPT_WITH_JSX: Language = { ...SCRIPT, hasAttributes: true };

const LANGUAGES: Readonly<Record<string, Language>> = {
  javascript: SCRIPT_WITH_JSX,
  javascriptreact: SCRIPT_WITH_JSX,
  typescript: SCRIPT,
  typescriptreact: SCRIPT_WITH_JSX,
  python: { read: (name) => `os.environ["${name}"]`, quotes: '\'"', comment: HASH, within: joinedBy('+') },
  go: { read: (name) => `os.Getenv("${name}")`, quotes: '"`', comment: SLASHES, within: joinedBy('+') },
  ruby: { read: (name) => `ENV.fetch("${name}")`, quotes: '\'"', comment: HASH, within: joinedBy('+') },
  php: { read: (name) => `getenv('${name}')`, quotes: '\'"', comment: /\/\/|#/, within: joinedBy('.') },
  java: { read: (name) => `System.getenv("${name}")`, quotes: '"', comment: SLASHES, within: joinedBy('+') },
  csharp: {
    read: (name) => `Environment.GetEnvironmentVariable("${name}")`,
    quotes: '"',
    comment: SLASHES,
    within: joinedBy('+'),
  },
  rust: { read: (name) => `std::env::var("${name}").unwrap()`, quotes: '"', comment: SLASHES },
};

/** Whether an operator between the parts of a string can't bind to what is beside it. */
function standsAlone(before: string, after: string): boolean {
  return /(?:^|[=(,[{:+]|\breturn)\s*$/.test(before) && /^\s*(?:$|[,;)\]}+])/.test(after);
}

const NAME_END = /[A-Za-z0-9_$]+$/;

/**
 * Returns how a key in a line is replaced by the expression that reads the variable `name`. undefined where that isn't
 * certain: in a comment, in a language without such an expression, in a string that spans lines or is more than a string.
 * @param key its columns in the line
 */
export function envExpression(
  languageId: string,
  line: string,
  { start, end, name }: { readonly start: number; readonly end: number; readonly name: string },
): LineEdit | undefined {
  if (languageId === 'yaml' || languageId === 'dockercompose') return { start, end, text: `\${${name}}` };
  if (languageId === 'shellscript') return inShell(line, { start, end, name });
  const language = LANGUAGES[languageId];
  if (language === undefined) return undefined;
  const string = stringAround(line, { start, end }, language);
  if (string === undefined) return undefined;
  const { open, close } = string;
  const read = language.read(name);
  const prefix = NAME_END.exec(line.slice(0, open))?.[0] ?? '';
  const isAttribute = language.hasAttributes === true && /[A-Za-z0-9_]=$/.test(line.slice(0, open));
  const isWhole = open + 1 === start && close === end;
  if (isWhole) {
    if (prefix !== '') return undefined;
    return { start: open, end: close + 1, text: isAttribute ? `{${read}}` : read };
  }
  if (language.within !== template && !standsAlone(line.slice(0, open), line.slice(close + 1))) return undefined;
  const [before, after] = [line.slice(open + 1, start), line.slice(end, close)];
  const text = language.within?.({ quote: line[open] ?? '', prefix, before, after, read });
  return text === undefined ? undefined : { start: open, end: close + 1, text: isAttribute ? `{${text}}` : text };
}

interface Columns {
  readonly start: number;
  readonly end: number;
}

/** The quotes of the string in the line that holds these columns. */
function stringAround(
  line: string,
  { start, end }: Columns,
  { quotes, comment }: Language,
): { readonly open: number; readonly close: number } | undefined {
  let at = 0;
  while (at < start) {
    const char = line[at] ?? '';
    if (!quotes.includes(char)) {
      if (comment.test(line.slice(at, at + 2)) && comment.exec(line.slice(at, at + 2))?.index === 0) return undefined;
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

function inShell(line: string, { start, end, name }: Columns & { readonly name: string }): LineEdit | undefined {
  let quote: string | undefined;
  for (let at = 0; at < start; at += 1) {
    const char = line[at] ?? '';
    if (char === '\\' && quote !== "'") at += 1;
    else if (quote === undefined && (char === '"' || char === "'")) quote = char;
    else if (char === quote) quote = undefined;
    else if (char === '#' && quote === undefined && /(?:^|\s)$/.test(line.slice(0, at))) return undefined;
  }
  if (quote === '"') return { start, end, text: `\${${name}}` };
  return { start, end, text: quote === "'" ? `'"\${${name}}"'` : `"\${${name}}"` };
}
