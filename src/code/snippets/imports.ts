import { ownValue } from '../../util/ownValue.ts';
import type { TextChange } from './changes.ts';

/** The range of imports in a document, or in the script of a component. Offsets are in the whole document. */
export interface ImportRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** The indentation of each import. */
  readonly indentation: string;
}

export interface PlannedImports {
  readonly changes: readonly TextChange[];
  /** Code may begin here. */
  readonly end: number;
}

interface ImportStyle {
  /** Matches an import, with the rest of its line. */
  readonly statement: RegExp;
  /** Matches lines that must stay above imports. */
  readonly header: RegExp;
  readonly has: (imports: string, line: string) => boolean;
  /** Adds lines to an existing import. Returns undefined if they need their own. */
  readonly extend?: (imports: string, lines: readonly string[]) => TextChange | undefined;
  /** Whether all lines go into one import. */
  readonly merges?: boolean;
  /** Writes several imports into a file that has none. Default: one per line. */
  readonly write?: (lines: readonly string[]) => string;
  /** The first line that a file needs. */
  readonly first?: string;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const hasLine = (imports: string, pattern: string): boolean => new RegExp(`^[ \\t]*${pattern}`, 'm').test(imports);

/** Matches in one way only, so that an unclosed comment takes linear time. */
const COMMENTS = String.raw`\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/`;
const HASH_COMMENT = String.raw`#[^\n]*\n`;
const SCRIPT_NAMES = String.raw`(?:${COMMENTS}|[^'"/;=()])*(?:'[^'\n]*'|"[^"\n]*")(?:\s*(?:with|assert)\s*\{[^}]*\})?`;

const SCRIPT: ImportStyle = {
  statement: new RegExp(
    String.raw`[ \t]*import\b(?!\s*[(.])(?:\s+(?:type\s+)?[\w$]+\s*=|${SCRIPT_NAMES})[^\n]*(?:\n|$)`,
    'y',
  ),
  header: /#!.*(?:\n|$)|[ \t]*(['"])use \w+\1;?[ \t]*\r?(?:\n|$)/y,
  has: hasScriptImport,
  extend: addNames,
};
/** For modules loaded with `require`, which can't be mixed with imports. */
const COMMON_JS: ImportStyle = {
  ...SCRIPT,
  statement:
    /[ \t]*(?:(?:const|let|var)\s[^=;]*=\s*)?require\s*\([^)\n]*\)(?:\([^()\n]*\)|[^\n([{])*(?:\n|$)(?!\s*[.([])/y,
};
/** Without its closing bracket. */
const GO_GROUP = String.raw`\((?:${COMMENTS}|[^)/]|\/(?![/*]))*`;
const KOTLIN_OR_SWIFT = /[ \t]*(?:@\w+[ \t]+)*import[ \t][^\n]*(?:\n|$)/y;

const STYLES: Readonly<Record<string, ImportStyle>> = {
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  python: {
    statement: new RegExp(
      String.raw`(?:from[ \t]+\S+[ \t]+import[ \t]*\((?:${HASH_COMMENT}|[^)#])*\)|(?:import|from)[ \t])(?:\\\r?\n|[^\n#])*(?:#[^\n]*)?(?:\n|$)`,
      'y',
    ),
    header:
      /#(?:!|.*coding[:=]).*(?:\n|$)|[rRuU]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|(?:"[^"\\\n]*"|'[^'\\\n]*')(?=[ \t]*(?:#.*)?\r?(?:\n|$)))[^\n]*(?:\n|$)|%%.*(?:\n|$)/y,
    has: hasPythonImport,
    extend: addNames,
  },
  go: {
    statement: new RegExp(String.raw`import\b\s*(?:${GO_GROUP}\)|[^\n]*)[^\n]*(?:\n|$)`, 'y'),
    header: /package[ \t]+\w+[^\n]*(?:\n|$)/y,
    has: (imports, line) => {
      const path = escaped(line.replace('import ', ''));
      return hasLine(imports, `(?:import[ \\t]*(?:\\((?:.*;)?)?[ \\t]*)?${path}`);
    },
    extend: addPackages,
    merges: true,
    write: writeGroup,
    first: 'package main',
  },
  swift: {
    statement: KOTLIN_OR_SWIFT,
    header: /#!.*(?:\n|$)/y,
    has: (imports, line) => hasLine(imports, `(?:@\\w+[ \\t]+)*${escaped(line)}[ \\t]*\\r?$`),
  },
  kotlin: {
    statement: KOTLIN_OR_SWIFT,
    header: /#!.*(?:\n|$)|(?:package|@file:)[^\n]*(?:\n|$)/y,
    has: (imports, line) => {
      const star = escaped(line.replace(/\w+$/, '*'));
      return hasLine(imports, `(?:${escaped(line)}|${star})[ \\t]*;?[ \\t]*\\r?$`);
    },
  },
  dart: {
    statement: new RegExp(
      String.raw`[ \t]*(?:import|export)[ \t](?:${COMMENTS}|[^;/'"]|'[^'\n]*'|"[^"\n]*")*;[^\n]*(?:\n|$)`,
      'y',
    ),
    header: /#!.*(?:\n|$)|library\b[^\n]*(?:\n|$)/y,
    has: (imports, line) => hasLine(imports, escaped(line).replaceAll("'", `['"]`)),
  },
};

/** Plans the changes that add missing imports where a file of the language has its imports. */
export function planImports(
  languageId: string,
  text: string,
  range: ImportRange,
  lines: readonly string[],
): PlannedImports {
  const style = isCommonJs(languageId, text) ? COMMON_JS : ownValue(STYLES, languageId);
  if (style === undefined) return { changes: [], end: range.start };
  const top = readTop(style, text, range);
  const { there } = top;
  // A blank line separates groups if there are no imports to add to.
  const missing = lines.filter((line) => (line === '' ? !top.hasImports : !style.has(there, line)));
  if (!top.hasImports) return { changes: addFirst(style, text, { ...range, top: top.end }, missing), end: top.end };
  return { changes: extendImports(style, { there, missing, range, top: top.end }), end: top.end };
}

interface Extended {
  readonly there: string;
  readonly missing: readonly string[];
  readonly range: ImportRange;
  readonly top: number;
}

function extendImports(
  { extend, merges }: ImportStyle,
  { there, missing, range, top }: Extended,
): readonly TextChange[] {
  const { start, indentation } = range;
  const changes: TextChange[] = [];
  const own: string[] = [];
  for (const lines of merges === true ? [missing] : missing.map((line) => [line])) {
    const change = lines.length === 0 ? undefined : extend?.(there, lines);
    if (change === undefined) own.push(...lines.map((line) => `${indentation}${line}`));
    else changes.push({ start: change.start + start, end: change.end + start, text: change.text });
  }
  const isEnded = there.endsWith('\n');
  const text = isEnded ? `${own.join('\n')}\n` : `\n${own.join('\n')}`;
  return own.length === 0 ? changes : [...changes, { start: top, end: top, text }];
}

/** Returns the imports of an otherwise empty file. */
export function writeImports(languageId: string, lines: readonly string[]): string {
  const style: Pick<ImportStyle, 'write' | 'first'> = ownValue(STYLES, languageId) ?? {};
  return [style.first, writeStatements(style, lines)].filter(Boolean).join('\n\n');
}

export const DECLARES_FUNCTION = /^(?:export |async )*(?:def|func|function)\b/;

/** Returns the number of blank lines between the imports of a file and the code below them. */
export function linesBelowImports(languageId: string, code: string): number {
  return DECLARES_FUNCTION.test(code) ? linesAboveFunction(languageId) : 1;
}

/** Returns the number of blank lines above a function at the top level of a file. PEP 8 requires two. */
export function linesAboveFunction(languageId: string): number {
  return languageId === 'python' ? 2 : 1;
}

function writeStatements({ write }: Pick<ImportStyle, 'write'>, lines: readonly string[]): string {
  return write === undefined || lines.length < 2 ? lines.join('\n') : write(lines);
}

function addFirst(
  style: ImportStyle,
  text: string,
  { start, end, top, indentation }: ImportRange & { readonly top: number },
  missing: readonly string[],
): readonly TextChange[] {
  if (missing.length === 0) return [];
  const before = text.slice(start, top);
  const after = text.slice(top, end);
  const hasHeader = before.trim() !== '';
  const written = writeStatements(style, missing).replace(/^(?=.)/gm, indentation);
  const first = style.first === undefined || hasHeader ? '' : `${style.first}\n\n`;
  const isEnded = top === 0 || text.charAt(top - 1) === '\n';
  const isFollowed = /^[^\S\n]*\S/.test(after);
  return [
    {
      start: top,
      end: top,
      text: `${isEnded ? '' : '\n'}${hasHeader ? '\n' : ''}${first}${written}\n${isFollowed ? '\n' : ''}`,
    },
  ];
}

const BLANK = /[^\S\n]*\n/y;
const COMMENT = /[ \t]*(?:\/\/|#(?!!)).*(?:\n|$)|[ \t]*\/\*[\s\S]*?\*\/[ \t]*\r?(?:\n|$)/y;

/** Finds the end of the imports, or of the header above them. The header includes a comment before a blank line. */
function readTop(style: ImportStyle, text: string, range: ImportRange) {
  let at = endOf(BLANK, text, range.start) ?? range.start;
  let end = at;
  let hasImports = false;
  let comment: number | undefined;
  // Blanks replace everything but the imports, so that offsets stay the same.
  let there = '';
  for (;;) {
    const statement = endOf(style.statement, text, at);
    const header = statement ?? endOf(style.header, text, at);
    const blank = header ?? endOf(BLANK, text, at);
    const next = blank ?? endOf(COMMENT, text, at);
    if (next === undefined || next <= at || next > range.end) {
      return { end, hasImports, there: there + blankOf(text.slice(range.start + there.length, end)) };
    }
    hasImports ||= statement !== undefined;
    if (statement !== undefined)
      there += blankOf(text.slice(range.start + there.length, at)) + text.slice(at, statement);
    if (header !== undefined) end = next;
    else if (blank !== undefined && comment !== undefined && !hasImports) end = comment;
    comment = blank === undefined ? next : undefined;
    at = next;
  }
}

function blankOf(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Returns imports in the file's style: as calls of `require` if it has such calls and no imports. */
export function forModuleSystem(languageId: string, text: string, lines: readonly string[]): readonly string[] {
  if (!isCommonJs(languageId, text)) return lines;
  return lines.map((line) => line.replace(/^import (.+) from ('.+');$/, 'const $1 = require($2);'));
}

/** Whether the file has calls of `require`, and no import or export. */
export function isCommonJs(languageId: string, text: string): boolean {
  if (!/^(?:java|type)script/.test(languageId)) return false;
  return /\brequire\s*\(/.test(text) && !/^[ \t]*(?:import\b(?!\s*[(.])|export\b)/m.test(text);
}

const DEFAULT_IMPORT = /^(?:import|const) (\w+) (?:from |= require\()'(.+)'\)?;$/;

function hasScriptImport(imports: string, line: string): boolean {
  const [, name = '', module = ''] = DEFAULT_IMPORT.exec(line) ?? [];
  if (name === '') return namesOf(line).every((each) => hasName(imports, line, each));
  const from = `['"]${escaped(module)}['"]`;
  const imported = `import\\s+(?:\\*\\s*as\\s+)?${name}\\b[^;'"]*from\\s*${from}`;
  return hasLine(imports, `(?:${imported}|(?:const|let|var)\\s+${name}\\s*=\\s*require\\s*\\(\\s*${from})`);
}

function hasPythonImport(imports: string, line: string): boolean {
  const names = namesOf(line);
  if (names.length > 0) return names.every((each) => hasName(imports, line, each));
  const name = escaped(line.replace('import ', ''));
  return hasLine(imports, `import[ \\t]+(?:[^#\\n]*,[ \\t]*)?${name}[ \\t]*(?:,|#|\\r?$)`);
}

/** Matches everything that may separate names. */
const NOT_NAMES = /(?:\/\/|#).*|\/\*[\s\S]*?\*\/|\\/g;

function hasName(imports: string, line: string, name: string): boolean {
  const names = statementsOf(imports, line).flatMap(([, , list = '']) =>
    list
      .replace(NOT_NAMES, '')
      .split(',')
      .map((each) => each.trim()),
  );
  return names.includes(name) || names.includes('*');
}

function writeGroup(lines: readonly string[]): string {
  return `import (\n${groupLines(lines)})`;
}

function groupLines(lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '\n' : `\t${line.replace('import ', '')}\n`)).join('');
}

/** Adds packages to a group, or turns the only import into one. */
function addPackages(imports: string, lines: readonly string[]): TextChange | undefined {
  const group = new RegExp(String.raw`import\s*${GO_GROUP}(?=\))`).exec(imports);
  // The comment above "C" is code that has to stay directly above it.
  const [only, other] = Array.from(imports.matchAll(/^import (?=["\w._])(?!"C").*?\s*$/gm));
  if (group !== null) {
    // The packages of the standard library come first, usually in a block of their own.
    const isOwn = lines.every((each) => /^import "[^.]+"$/.test(each));
    const block = isOwn ? /\n[ \t]*\r?\n/.exec(group[0]) : null;
    if (block !== null) {
      const behind = group.index + block.index + 1;
      return { start: behind, end: behind, text: groupLines(lines) };
    }
    const at = group.index + group[0].length;
    return { start: at, end: at, text: `${/\n[ \t]*$/.test(group[0]) ? '' : '\n'}${groupLines(lines)}` };
  }
  if (only === undefined || other !== undefined) return undefined;
  const [line] = only;
  return { start: only.index, end: only.index + line.trimEnd().length, text: writeGroup([line.trimEnd(), ...lines]) };
}

/** Adds the names that a statement for the same module doesn't import yet. */
function addNames(imports: string, [line = '']: readonly string[]): TextChange | undefined {
  const missing = namesOf(line).filter((name) => !hasName(imports, line, name));
  const [statement] = statementsOf(imports, line);
  if (statement === undefined || missing.length === 0) return undefined;
  const [, before = '', list = ''] = statement;
  // The last name may have a comment after it; the first has none before it.
  if (list.replace(NOT_NAMES, '') !== list) {
    const first = statement.index + before.length + list.length - list.trimStart().length;
    return { start: first, end: first, text: `${missing.join(', ')}, ` };
  }
  const kept = list.trimEnd().replace(/,$/, '');
  const at = statement.index + before.length + kept.length;
  return { start: at, end: at, text: `${kept.trim() === '' ? ' ' : ', '}${missing.join(', ')}` };
}

interface NamedImport {
  /** Matches our own line, with the groups `names` and `module`. */
  readonly line: RegExp;
  /** Returns the pattern of a file's own statement. Its groups are the text before the names, and the names. */
  readonly statement: (module: string) => string;
}

const NAMES_IN_BRACES = `(?:${COMMENTS}|[^}/])*`;

const NAMED_IMPORTS: readonly NamedImport[] = [
  {
    line: /^import \{ (?<names>.+) \} from '(?<module>.+)';$/,
    statement: (module) =>
      `(import\\s+(?!type\\b)(?:[\\w$]+\\s*,\\s*)?\\{)(${NAMES_IN_BRACES})\\}\\s*from\\s*['"]${module}['"]`,
  },
  {
    line: /^const \{ (?<names>.+) \} = require\('(?<module>.+)'\);$/,
    statement: (module) =>
      `((?:const|let|var)\\s*\\{)(${NAMES_IN_BRACES})\\}\\s*=\\s*require\\s*\\(\\s*['"]${module}['"]`,
  },
  {
    line: /^from (?<module>\S+) import (?<names>.+)$/,
    statement: (module) =>
      `(^from[ \\t]+${module}[ \\t]+import\\b[ \\t]*\\(?)((?<=\\()(?:${HASH_COMMENT}|[^)#])*|(?<!\\()(?:\\\\\\r?\\n|[^()#\\n])*)`,
  },
];

function readNamedImport(line: string) {
  for (const { line: pattern, statement } of NAMED_IMPORTS) {
    const groups = pattern.exec(line)?.groups;
    if (groups !== undefined) return { names: groups.names?.split(', ') ?? [], module: groups.module ?? '', statement };
  }
  return undefined;
}

function namesOf(line: string): readonly string[] {
  return readNamedImport(line)?.names ?? [];
}

/** Returns the statements that import names from the same module as the line. */
function statementsOf(imports: string, line: string): readonly RegExpExecArray[] {
  const named = readNamedImport(line);
  if (named === undefined) return [];
  const module = escaped(named.module).replace(/^node:/, '(?:node:)?');
  return Array.from(imports.matchAll(new RegExp(named.statement(module), 'gm')));
}
