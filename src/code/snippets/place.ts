import { ownValue } from '../../util/ownValue.ts';

/** The surroundings of an offset in a document. */
export interface Place {
  /** The language of the element that the offset is in: the script of a page is JavaScript or TypeScript. */
  readonly languageId: string;
  readonly fileLanguageId: string;
  readonly isInString: boolean;
  /** The number of open brackets. */
  readonly depth: number;
  /** The part of JSX around it: the content of an element, a tag, or code that has to be an expression. */
  readonly jsx?: 'content' | 'tag' | 'expression' | undefined;
  /** Whether the script of the component is TypeScript. */
  readonly isTypeScript?: boolean;
}

/** The content of a script, style, or template element. Offsets are in the whole text. */
export interface Block {
  readonly name: string;
  readonly attributes: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

interface StringSyntax {
  readonly open: string;
  /** Default: `open`. */
  readonly close?: string;
  /** Whether it can span lines. Otherwise it ends with its line, closed or not. */
  readonly isLong?: boolean;
  /** Whether a backslash has no meaning. */
  readonly isRaw?: boolean;
  /** The beginning of code in it, which ends at the matching bracket. */
  readonly hole?: '${' | '#{' | '\\(';
  /** Matches the text before it, of which only the last two characters count. Default: any text. */
  readonly after?: RegExp;
}

interface Syntax {
  readonly lineComment?: RegExp;
  readonly hasBlockComments?: boolean;
  readonly hasRegExps?: boolean;
  readonly hasJsx?: boolean;
  /** Matches other text whose quotes don't open a string. */
  readonly noQuotes?: RegExp;
  /** Those that end before others come first. */
  readonly strings: readonly StringSyntax[];
  /** Matches the beginning of a string that ends with its `name` on a line of its own. */
  readonly heredoc?: RegExp;
}

const SLASHES = /\/\/.*/y;
const HASH = /#.*/y;
/** Within a word, a hash is part of the word. */
const HASH_AFTER_SPACE = /(?<=^|\s)#.*/my;
const C_LIKE = { lineComment: SLASHES, hasBlockComments: true };

const SCRIPT: Syntax = {
  ...C_LIKE,
  hasRegExps: true,
  strings: [{ open: '"' }, { open: "'" }, { open: '`', isLong: true, hole: '${' }],
};
const SCRIPT_WITH_JSX: Syntax = { ...SCRIPT, hasJsx: true };
const C: Syntax = { ...C_LIKE, strings: [{ open: '"' }, { open: "'" }] };
const JSON_TEXT: Syntax = { ...C_LIKE, strings: [{ open: '"' }] };
const RAW = /(?:^|\W)r$/;
const LONG_RAW = { isLong: true, isRaw: true };
const STYLE: Syntax = { hasBlockComments: true, strings: [{ open: '"' }, { open: "'" }] };

/** The text between the PHP parts of a file. */
const PHP_PAGE: StringSyntax = { open: '?>', close: '<?', ...LONG_RAW };

const SYNTAXES: Readonly<Record<string, Syntax>> = {
  javascript: SCRIPT_WITH_JSX,
  javascriptreact: SCRIPT_WITH_JSX,
  typescript: SCRIPT,
  typescriptreact: SCRIPT_WITH_JSX,
  python: {
    lineComment: HASH,
    strings: [{ open: '"""', isLong: true }, { open: "'''", isLong: true }, { open: '"' }, { open: "'" }],
  },
  go: { ...C_LIKE, strings: [{ open: '"' }, { open: "'" }, { open: '`', ...LONG_RAW }] },
  swift: {
    ...C_LIKE,
    strings: [
      { open: '#"""', close: '"""#', ...LONG_RAW },
      { open: '#"', close: '"#', isRaw: true },
      { open: '"""', isLong: true, hole: '\\(' },
      { open: '"', hole: '\\(' },
    ],
  },
  kotlin: {
    ...C_LIKE,
    strings: [{ open: '"""', ...LONG_RAW, hole: '${' }, { open: '"', hole: '${' }, { open: "'" }],
  },
  dart: {
    ...C_LIKE,
    strings: [
      ...['"""', "'''"].map((open) => ({ open, ...LONG_RAW, after: RAW })),
      ...['"', "'"].map((open) => ({ open, isRaw: true, after: RAW })),
      ...['"""', "'''"].map((open) => ({ open, isLong: true, hole: '${' }) as const),
      ...['"', "'"].map((open) => ({ open, hole: '${' }) as const),
    ],
  },
  shellscript: {
    lineComment: HASH_AFTER_SPACE,
    noQuotes: /\\[\s\S]/y,
    heredoc: /(?<!<)<<-?[ \t]*["'\\]?(?<name>[A-Za-z_]\w*)/y,
    strings: [
      { open: "$'", close: "'", isLong: true },
      { open: '"', isLong: true },
      { open: "'", ...LONG_RAW },
    ],
  },
  java: { ...C_LIKE, strings: [{ open: '"""', isLong: true }, { open: '"' }, { open: "'" }] },
  csharp: {
    ...C_LIKE,
    strings: [
      { open: '"""', ...LONG_RAW },
      { open: '@"', close: '"', ...LONG_RAW },
      { open: '@$"', close: '"', ...LONG_RAW },
      ...C.strings,
    ],
  },
  rust: {
    ...C_LIKE,
    // A single quote also begins a lifetime.
    noQuotes: /'(?:\\(?:u\{[^}\n]*\}|x..|.)|[^\\'\n])'/y,
    strings: [
      ...['##', '#', ''].map((hash) => ({ ...LONG_RAW, open: `${hash}"`, close: `"${hash}`, after: RAW })),
      { open: '"', isLong: true },
    ],
  },
  c: C,
  cpp: C,
  ruby: {
    lineComment: HASH,
    hasRegExps: true,
    noQuotes: /^=begin\b[\s\S]*?(?:^=end\b|$(?![\s\S]))/my,
    heredoc: /<<(?:[-~]|(?=["'A-Z_]))["']?(?<name>[A-Za-z_]\w*)/y,
    strings: [
      ...[')', ']', '}'].map((close, at) => ({ open: `%q${'([{'.charAt(at)}`, close, isLong: true })),
      { open: '"', isLong: true, hole: '#{' },
      { open: "'", isLong: true },
    ],
  },
  php: {
    lineComment: /(?:\/\/|#(?!\[))(?:(?!\?>).)*/y,
    hasBlockComments: true,
    heredoc: /<<<[ \t]*["']?(?<name>[A-Za-z_]\w*)/y,
    strings: [PHP_PAGE, { open: '"', isLong: true }, { open: "'", isLong: true }],
  },
  lua: {
    lineComment: /--(?:\[\[[\s\S]*?(?:\]\]|$(?![\s\S]))|.*)/y,
    strings: [{ open: '[[', close: ']]', ...LONG_RAW }, ...C.strings],
  },
  css: STYLE,
  scss: { ...STYLE, lineComment: SLASHES },
  less: { ...STYLE, lineComment: SLASHES },
  json: JSON_TEXT,
  jsonc: JSON_TEXT,
  yaml: {
    lineComment: HASH_AFTER_SPACE,
    strings: C.strings.map((string) => ({ ...string, after: /[\s[{,:-]$|^$/ })),
  },
};

const MARKUP: ReadonlySet<string> = new Set(['html', 'vue', 'svelte', 'xml']);

/** Finds the surroundings of an offset by the language's strings and brackets, without parsing the text. */
export function findPlace(fileLanguageId: string, text: string, offset: number): Place {
  if (MARKUP.has(fileLanguageId)) return findInMarkup(fileLanguageId, text, offset);
  const start = fileLanguageId === 'php' ? text.indexOf('<?') : -1;
  const open = scan(ownValue(SYNTAXES, fileLanguageId), text, { start: Math.max(start, 0), offset });
  const isPage = offset <= start || open.at(-1)?.string === PHP_PAGE;
  if (isPage) return { ...findInMarkup('html', text, offset), fileLanguageId };
  return { languageId: fileLanguageId, fileLanguageId, ...surroundings(open), jsx: findJsx(fileLanguageId, open) };
}

/** Returns the elements of a page or a component that contain another language, in order. */
export function findBlocks(text: string): readonly Block[] {
  return Array.from(text.matchAll(BLOCK), ({ index, 0: all, groups }): Block => {
    const { open = '', name = '', attributes = '', content = '' } = groups ?? {};
    const start = index + open.length;
    const isComment = all.startsWith('<!--');
    return { name: isComment ? '' : name.toLowerCase(), attributes, start, end: start + content.length };
  }).filter(({ name }) => name !== '');
}

/** Matches comments too, so that elements in them aren't matched. */
const BLOCK =
  /<!--[\s\S]*?(?:-->|$)|(?<open><(?<name>script|style)\b(?<attributes>(?:"[^"]*"|'[^']*'|[^>"'])*)>)(?<content>[\s\S]*?)(?=<\/\k<name>\s*>|$)/gi;
const TAG = /<\/?[A-Za-z](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^>"'])*(?:>|$)|<!--[\s\S]*?(?:-->|$)/g;

function findInMarkup(fileLanguageId: string, text: string, offset: number): Place {
  const blocks = findBlocks(text);
  const block = blocks.find(({ start, end }) => start <= offset && offset <= end);
  if (block !== undefined && fileLanguageId !== 'xml') {
    const languageId = languageOf(block);
    return {
      languageId,
      fileLanguageId,
      ...surroundings(scan(ownValue(SYNTAXES, languageId), text, { start: block.start, offset })),
    };
  }
  const tag = Array.from(text.matchAll(TAG)).find(({ index, 0: all }) => index < offset && offset < index + all.length);
  const quotes = tag === undefined ? '' : text.slice(tag.index, offset).replace(/"[^"]*"|'[^']*'/g, '');
  const isInString = tag?.[0].startsWith('<!--') === false && /["']/.test(quotes);
  const isTyped = blocks.some(({ name, attributes }) => name === 'script' && isTypeScript(attributes));
  return { languageId: fileLanguageId, fileLanguageId, isInString, depth: 0, isTypeScript: isTyped };
}

function languageOf({ name, attributes }: Block): string {
  if (name === 'style') return 'css';
  if (/\btype\s*=\s*["']?[\w/+-]*json/i.test(attributes)) return 'json';
  return isTypeScript(attributes) ? 'typescript' : 'javascript';
}

function isTypeScript(attributes: string): boolean {
  return /\blang\s*=\s*["']?tsx?\b/.test(attributes);
}

/** A string on one line that contains the given offsets, and the code around it. */
export interface FoundString {
  /** Its opening and closing quote. */
  readonly quote: string;
  /** The offset of the opening quote. */
  readonly open: number;
  /** The offset of the closing quote. */
  readonly close: number;
  /** All text before the string, with blanks for comments. */
  readonly before: string;
  /** The offsets of the brackets around it, the outermost first. */
  readonly brackets: readonly number[];
  /** The next character of code, on any line. Empty at the end of the text. */
  readonly next: string;
  /** Whether that is on another line. */
  readonly endsLine: boolean;
}

/** Finds the string that contains `start` to `end`. undefined unless it has one line and one kind of quote. */
export function findString(
  languageId: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): FoundString | undefined {
  const syntax = ownValue(SYNTAXES, languageId);
  const comments: [number, number][] = [];
  const open = scan(syntax, text, { start: 0, offset: start }, comments);
  const { string, start: opening } = open.at(-1) ?? {};
  const close = string?.open.length === 1 && opening !== undefined ? closingQuote(text, opening, string) : undefined;
  if (syntax === undefined || opening === undefined || close === undefined || close < end) return undefined;
  const next = skipBlanks(syntax, text, close + 1);
  return {
    ...{ quote: text.charAt(opening), open: opening, close },
    before: withBlanks(text.slice(0, opening), comments),
    brackets: open.filter(({ string, jsx }) => string === undefined && jsx === undefined).map((each) => each.start),
    next: text.charAt(next),
    endsLine: /[\n\r]/.test(text.slice(close, next)) || next === text.length,
  };
}

function closingQuote(text: string, open: number, { isRaw }: StringSyntax): number | undefined {
  for (let at = open + 1; at < text.length && text.charAt(at) !== '\n'; at += 1) {
    if (text[at] === '\\' && isRaw !== true) at += 1;
    else if (text[at] === text[open]) return at;
  }
  return undefined;
}

function withBlanks(text: string, ranges: readonly (readonly [number, number])[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    const comment = text.slice(start, end);
    const blank = comment.includes('\n') ? comment.replace(/[^\r\n]/g, ' ') : ' '.repeat(end - start);
    parts.push(text.slice(at, start), blank);
    at = end;
  }
  return parts.join('') + text.slice(at);
}

function skipBlanks(syntax: Syntax, text: string, from: number): number {
  let at = from;
  for (;;) {
    const next = endOf(/\s+/y, text, at) ?? endOfComment(syntax, text, at);
    if (next === undefined || next === at) return at;
    at = next;
  }
}

/** An open string, part of JSX, or bracket. */
interface Open {
  /** The offset of its opening characters. */
  readonly start: number;
  readonly close: string;
  readonly string?: StringSyntax;
  readonly jsx?: 'content' | 'tag';
}

const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const BRACKET = /[()[\]{}]/;
const REGEXP =
  /(?<=[(,=~:[!&|?{};\n]\s*|^\s*|\b(?:return|if|unless|when)\s+)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//y;
const BLOCK_COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/y;
/** Matches characters that can't open anything. */
const PLAIN = /[\w\s]+/y;

/** Deeper nesting is data and isn't searched. */
const DEEPEST = 10_000;

function scan(
  syntax: Syntax | undefined,
  text: string,
  { start, offset }: { readonly start: number; readonly offset: number },
  comments?: [number, number][],
): readonly Open[] {
  const open: Open[] = [];
  let at = start;
  let endOfCode = start;
  while (syntax !== undefined && at < offset && open.length < DEEPEST) {
    const last = open.at(-1);
    const string = last?.string;
    const jsx = last?.jsx;
    const heredoc = string === undefined ? heredocAt(syntax, text, at) : undefined;
    // The line on which it begins is code.
    const isPassed = heredoc !== undefined && heredoc.start < offset;
    if (isPassed && offset <= heredoc.end) return [...open, { start: at, close: '', string: HEREDOC }];
    const character = text.charAt(at);
    const hasComments = string === undefined && jsx !== 'content' && !BRACKET.test(character);
    const comment = hasComments ? endOfComment(syntax, text, at) : undefined;
    if (comment !== undefined) comments?.push([at, comment]);
    if (isPassed) at = heredoc.end;
    else if (comment !== undefined) at = comment;
    else if (string !== undefined) at = stepInString(string, text, at, open);
    else if (syntax.hasJsx !== true) at = stepInCode(syntax, text, at, open);
    else {
      const mayBeJsx = jsx !== undefined || character === '<';
      const next = (mayBeJsx ? stepInJsx(text, at, open, endOfCode) : undefined) ?? stepInCode(syntax, text, at, open);
      const code = next === at + 1 && character > ' ' ? character : text.slice(at, next).trimEnd();
      if (code !== '') endOfCode = at + code.length;
      at = next;
    }
  }
  return open;
}

function surroundings(open: readonly Open[]): Pick<Place, 'isInString' | 'depth'> {
  return { isInString: open.at(-1)?.string !== undefined, depth: open.filter(({ string }) => !string).length };
}

/** Returns the offset to continue at, and updates `open`. */
function stepInCode(syntax: Syntax, text: string, at: number, open: Open[]): number {
  const { hasRegExps, noQuotes, strings } = syntax;
  const character = text.charAt(at);
  const isBracket = BRACKET.test(character);
  const skipped = isBracket
    ? undefined
    : (endOf(hasRegExps === true ? REGEXP : undefined, text, at) ??
      endOf(noQuotes, text, at) ??
      endOf(PLAIN, text, at));
  // A word may extend past the offset of interest: it can't open anything.
  if (skipped !== undefined) return skipped;
  const string = strings.find(
    ({ open: quote, after }) =>
      text.startsWith(quote, at) && after?.test(text.slice(Math.max(0, at - 2), at)) !== false,
  );
  if (string !== undefined) {
    open.push({ start: at, close: string.close ?? string.open, string });
    return at + string.open.length;
  }
  const close = BRACKETS[character];
  if (close !== undefined) open.push({ start: at, close });
  else if (open.at(-1)?.close === character) open.pop();
  return at + 1;
}

const TAG_NAME = String.raw`[A-Za-z_$][\w$.:-]*(?:<[^<>()=;]*>)?(?=[\s/>])(?!\s+extends\s+[\w{])`;
const OPENING_TAG = new RegExp(`<(?:(?=>)|${TAG_NAME})`, 'y');
const CLOSING_TAG = /<\/[^<>]*>?/y;
const IN_TAG = /[\w\s$.:=-]+|\//y;
const IN_CONTENT = /[^<>{}]+/y;
/** Matches an operator or an opening bracket, after which an expression begins. */
export const BEFORE_ELEMENT = /(?:^|[([{,?:=&|!]|=>|\b(?:return|default|case|yield|await|else))$/;
const JSX_STRINGS = ['"', "'"].map((open): StringSyntax => ({ open, ...LONG_RAW }));

/**
 * Like `stepInCode`, for JSX. Returns undefined in other code. Text that looked like JSX, such as the type parameters
 * of a function, counts as code again from the first character that can't be JSX.
 */
function stepInJsx(text: string, at: number, open: Open[], endOfCode: number): number | undefined {
  const jsx = open.at(-1)?.jsx;
  if (jsx === 'tag') return stepInTag(text, at, open);
  const isElement = jsx === 'content' || BEFORE_ELEMENT.test(text.slice(Math.max(0, endOfCode - 8), endOfCode));
  const opened = isElement ? endOf(OPENING_TAG, text, at) : undefined;
  if (opened !== undefined) {
    open.push({ start: at, close: '', jsx: 'tag' });
    return opened;
  }
  if (jsx === undefined) return undefined;
  const closed = endOf(CLOSING_TAG, text, at);
  if (closed === undefined && text[at] === '{') return openBracket(at, open);
  const next = closed === undefined ? endOf(IN_CONTENT, text, at) : undefined;
  if (next === undefined) open.pop();
  return next ?? closed ?? at;
}

function stepInTag(text: string, at: number, open: Open[]): number {
  const character = text.charAt(at);
  const string = JSX_STRINGS.find((each) => each.open === character);
  if (string !== undefined) {
    open.push({ start: at, close: string.open, string });
    return at + 1;
  }
  if (character === '{') return openBracket(at, open);
  const next = endOf(IN_TAG, text, at);
  if (next !== undefined) return next;
  const tag = open.pop();
  if (character !== '>' || tag === undefined) return at;
  // A comment ends with a slash too.
  if (!/(?<!\*)\/$/.test(text.slice(at - 2, at))) open.push({ ...tag, jsx: 'content' });
  return at + 1;
}

function openBracket(start: number, open: Open[]): number {
  open.push({ start, close: '}' });
  return start + 1;
}

/** In a React file, brackets other than those of a block contain expressions. */
function findJsx(languageId: string, open: readonly Open[]): Place['jsx'] {
  const [around, inner] = open.length > 1 ? open.slice(-2) : [undefined, open[0]];
  if (inner === undefined || inner.jsx !== undefined) return inner?.jsx;
  const isReact = languageId.endsWith('react') || open.some(({ jsx }) => jsx !== undefined);
  const isExpression = inner.close === '}' ? around?.jsx !== undefined : isReact && inner.string === undefined;
  return isExpression ? 'expression' : undefined;
}

const HEREDOC: StringSyntax = { open: '<<' };

/** Returns the lines of the heredoc that begins here, with the line breaks around them. */
function heredocAt({ heredoc }: Syntax, text: string, at: number): Omit<Block, 'name' | 'attributes'> | undefined {
  if (heredoc === undefined) return undefined;
  heredoc.lastIndex = at;
  const name = heredoc.exec(text)?.groups?.name;
  if (name === undefined) return undefined;
  const start = text.indexOf('\n', at);
  if (start === -1) return undefined;
  // Code may continue after the name.
  const last = new RegExp(`\\n[ \\t]*${name}(?=\\r?$|[;,.)\\]])`, 'gm');
  last.lastIndex = start;
  const end = last.exec(text)?.index;
  return end === undefined ? undefined : { start, end };
}

function stepInString(string: StringSyntax, text: string, at: number, open: Open[]): number {
  const close = string.close ?? string.open;
  if (text.startsWith(close, at)) {
    open.pop();
    return at + close.length;
  }
  if (string.hole !== undefined && text.startsWith(string.hole, at)) {
    open.push({ start: at + string.hole.length - 1, close: string.hole === '\\(' ? ')' : '}' });
    return at + string.hole.length;
  }
  const character = text.charAt(at);
  if (character === '\n' && string.isLong !== true) open.pop();
  return at + (character === '\\' && string.isRaw !== true ? 2 : 1);
}

function endOfComment({ lineComment, hasBlockComments }: Syntax, text: string, at: number): number | undefined {
  return endOf(lineComment, text, at) ?? endOf(hasBlockComments === true ? BLOCK_COMMENT : undefined, text, at);
}

function endOf(pattern: RegExp | undefined, text: string, at: number): number | undefined {
  if (pattern === undefined) return undefined;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
