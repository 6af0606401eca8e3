import { ownValue } from '../util/ownValue.ts';
import type { TextChange } from './snippets/changes.ts';
import { planImports } from './snippets/imports.ts';
import { type FoundString, findString } from './snippets/place.ts';

/** The position of a key: its offsets in a document. */
export interface KeyRange {
  readonly languageId: string;
  readonly text: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

interface Language {
  readonly read: (name: string) => string;
  readonly import?: string;
  /** Matches the beginning of statements in which an expression can't replace a string. */
  readonly constant: RegExp;
  /** Whether a type may follow a colon, and a bracket may hold names. */
  readonly hasTypes?: boolean;
  /** Whether the expression ends with its line, if `next` is the first character of the next one. */
  readonly endsBefore: (next: string, isInBrackets: boolean) => boolean;
  /** Rewrites a string that holds more than the key. undefined if that may not be safe. */
  readonly within: (parts: StringParts) => string | undefined;
  /** In JSX, an attribute takes an expression in braces. */
  readonly hasAttributes?: boolean;
}

interface StringParts {
  readonly quote: string;
  readonly before: string;
  readonly after: string;
  readonly read: string;
}

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
  constant: /^\s*(?:export\s+)?(?:declare|(?:const\s+)?enum|type|import|interface)\b|\w<[^<>=]*,\s*$/m,
  hasTypes: true,
  // A name at the start of the next line doesn't continue the expression, and operators don't bind tighter.
  endsBefore: (next) => !/[.:[(`?!]/.test(next),
  within: template,
};
// With strict types, a variable may be undefined and isn't assignable to a string.
const TYPED_SCRIPT: Language = {
  ...SCRIPT,
  read: (name) => `${SCRIPT.read(name)}!`,
  within: (parts) => template({ ...parts, read: parts.read.slice(0, -1) }),
};

/**
 * Languages in which an expression is certain to fit. In others it may not: Java, C#, and PHP need constants in places
 * that only a parser finds, and in Rust a variable isn't a `&str`.
 */
const LANGUAGES: Readonly<Record<string, Language>> = {
  javascript: { ...SCRIPT, hasAttributes: true },
  javascriptreact: { ...SCRIPT, hasAttributes: true },
  typescript: TYPED_SCRIPT,
  typescriptreact: { ...TYPED_SCRIPT, hasAttributes: true },
  python: {
    read: (name) => `os.environ["${name}"]`,
    constant: /^\s*case\b/m,
    hasTypes: true,
    // Adjacent strings are concatenated.
    endsBefore: (next, isInBrackets) => !isInBrackets || /[,)\]}+]/.test(next),
    within: joinedBy('+'),
    import: 'import os',
  },
  go: {
    read: (name) => `os.Getenv("${name}")`,
    constant: /\bconst\b|^\s*import\b/m,
    endsBefore: () => true,
    within: joinedBy('+'),
    import: 'import "os"',
  },
};

/** Return the text that replaces the key alone, given the lines above it and the text before it on its line. */
const VARIABLES: Readonly<Record<string, (above: string, before: string, name: string) => string | undefined>> = {
  yaml: inYaml,
  dockercompose: inYaml,
  shellscript: inShell,
};

/** Longer lines are data, on which regular expressions could take seconds. */
const LONGEST_LINE = 10_000;

/** Code isn't nested deeper, and searching deeper text for statements would take too long. */
const DEEPEST = 50;

/** Match text before and after an expression that can't bind to it, or take it for a key or a type. */
const BEFORE_EXPRESSION = /(?:[=(,[{:+?]|=>|&&|\|\||\breturn)$/;
const AFTER_EXPRESSION = /[,;)\]}+]/;
const JSX_ATTRIBUTE = /<[A-Za-z][\w.]*(?:\s[^<>]*)?\s[\w:-]+=$/;
const MAYBE_ATTRIBUTE = /^\s*[\w:-]+=$/;

/**
 * Returns the change that replaces a key with an expression that reads the variable `name`. undefined if it may not
 * fit: in a comment, in a constant, in a string that spans lines or has a prefix, in a language without such an
 * expression, or in a line of more than 10,000 characters.
 */
export function envExpression(place: KeyRange, name: string): TextChange | undefined {
  const { languageId, text, start, end } = place;
  const above = text.slice(0, text.lastIndexOf('\n', start - 1) + 1);
  const line = /[^\r\n]*/.exec(text.slice(above.length))?.[0] ?? '';
  if (line.length > LONGEST_LINE) return undefined;
  const language = ownValue(LANGUAGES, languageId);
  if (language !== undefined) return inCode(place, language, language.read(name));
  const written = ownValue(VARIABLES, languageId)?.(above, line.slice(0, start - above.length), name);
  return written === undefined ? undefined : { start, end, text: written };
}

/** Returns the changes that add the import that the expression needs. Empty if it's there, or none is needed. */
export function envImport({ languageId, text }: Pick<KeyRange, 'languageId' | 'text'>): readonly TextChange[] {
  const line = ownValue(LANGUAGES, languageId)?.import;
  // A fragment of a Go file has its imports elsewhere.
  if (line === undefined || (languageId === 'go' && !/^package\s/m.test(text))) return [];
  return planImports(languageId, text, { start: 0, end: text.length, indentation: '' }, [line]).changes;
}

function inCode({ languageId, text, start, end }: KeyRange, language: Language, read: string): TextChange | undefined {
  const string = findString(languageId, text, { start, end });
  if (string === undefined) return undefined;
  const { quote, open, close, before } = string;
  const left = before.slice(before.lastIndexOf('\n') + 1);
  const isAttribute = language.hasAttributes === true && JSX_ATTRIBUTE.test(left);
  if (!isAttribute) {
    if (language.hasAttributes === true && MAYBE_ATTRIBUTE.test(left)) return undefined;
    if (!takesExpression(string, language)) return undefined;
  }
  const parts = { quote, before: text.slice(open + 1, start), after: text.slice(end, close), read };
  const code = parts.before === '' && parts.after === '' ? read : language.within(parts);
  return code === undefined ? undefined : { start: open, end: close + 1, text: isAttribute ? `{${code}}` : code };
}

function takesExpression({ before, brackets, open, next, endsLine }: FoundString, language: Language): boolean {
  const isEnded = AFTER_EXPRESSION.test(next) || (endsLine && language.endsBefore(next, brackets.length > 0));
  if (!isEnded || brackets.length > DEEPEST) return false;
  if ([...brackets, open].some((at) => language.constant.test(statementUpTo(before, at)))) return false;
  return language.hasTypes === true ? isValue(before, open, brackets) : isBehindOperator(before, open);
}

/** The line up to an offset, with those above it whose expressions it continues. */
function statementUpTo(before: string, at: number): string {
  let start = before.lastIndexOf('\n', at - 1) + 1;
  for (let lines = 0; start > 0 && lines < DEEPEST && !/^[ \t]*[\w$@]/.test(before.slice(start, at)); lines += 1) {
    start = before.lastIndexOf('\n', start - 2) + 1;
  }
  return before.slice(start, at);
}

/** Whether an offset is the position of a value, as is that of the array or object around it. */
function isValue(before: string, at: number, brackets: readonly number[]): boolean {
  const last = codeBefore(before, at).at(-1) ?? '';
  const inner = brackets.at(-1);
  if (!isBehindOperator(before, at)) return false;
  if (!/[[{,:]/.test(last)) return true;
  if (inner === undefined) return false;
  const bracket = before.charAt(inner);
  if (last === ':' && bracket !== '{') return false;
  return bracket === '(' || isValue(before, inner, brackets.slice(0, -1));
}

function isBehindOperator(before: string, at: number): boolean {
  return BEFORE_EXPRESSION.test(codeBefore(before, at).slice(-10));
}

function codeBefore(before: string, at: number): string {
  return before.slice(Math.max(0, at - LONGEST_LINE), at).trimEnd();
}

function inShell(above: string, before: string, name: string): string | undefined {
  const text = above + before;
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
  if (quote === '"') return `\${${name}}`;
  return quote === "'" ? `'"\${${name}}"'` : `"\${${name}}"`;
}

/** YAML itself has no variables, but readers such as Docker Compose and most CI services expand them. */
function inYaml(_above: string, before: string, name: string): string | undefined {
  const unquoted = withoutYamlStrings(before);
  if (/(?:^|\s)#/.test(unquoted)) return undefined;
  const isInQuotes = /["']/.test(unquoted);
  const isInFlow = !isInQuotes && /[[{]/.test(unquoted);
  return isInFlow ? `"\${${name}}"` : `\${${name}}`;
}

/** Keeps quotes that aren't closed. */
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
