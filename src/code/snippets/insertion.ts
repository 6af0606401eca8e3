import { indent, joinChanges, type TextChange } from './changes.ts';
import { componentMarkup, componentScript, type Snippet, wholeComponent } from './forms.ts';
import { DECLARES_FUNCTION, type ImportRange, linesAboveFunction, linesBelowImports, planImports } from './imports.ts';
import { BEFORE_ELEMENT, findBlocks, findPlace, type Place } from './place.ts';
import type { Program } from './players.ts';

export interface OpenText {
  /** VS Code's name of the language, or 'dotenv' for an env file. */
  readonly languageId: string;
  readonly text: string;
  /** The indentation of one level. */
  readonly unit: string;
  /** The selections of the cursors, in UTF-16 units, `end` exclusive. The first one is the main one. */
  readonly cursors: readonly Cursor[];
}

export interface Cursor {
  readonly start: number;
  readonly end: number;
}

/** Returns the place whose snippets fit all cursors: in a string if one of them is. */
export function findMainPlace({ languageId, text, cursors }: OpenText): Place {
  const places = cursors.map(({ start }) => findPlace(languageId, text, start));
  return places.find(({ isInString }) => isInString) ?? places[0] ?? findPlace(languageId, text, 0);
}

/**
 * Plans the changes that insert a snippet for a place at all cursors. Programs are inserted on their own lines with the
 * line's indentation, and their imports among those of the file.
 */
export function planInsertion(file: OpenText, place: Place, snippet: Snippet): readonly TextChange[] {
  if (snippet.kind === 'value')
    return joinChanges(file.cursors.map((cursor) => insertValue(file, cursor, snippet.text)));
  if (snippet.setup !== undefined) return planComponent(file, snippet);
  if (place.jsx !== undefined || (snippet.component !== undefined && place.depth > 0)) return planModule(file, snippet);
  const { text, cursors } = file;
  const range = findRange(file, place);
  const imports = planImports(place.languageId, text, range, snippet.imports);
  const added = imports.changes.find(({ start }) => start === imports.end)?.text;
  const { code } = nameComponent(text, snippet, false);
  const hasImports = added !== undefined || imports.end > range.start;
  const space = hasImports
    ? '\n'.repeat(linesBelowImports(place.languageId, code) - (added?.endsWith('\n\n') ? 1 : 0))
    : '';
  const body = place.languageId === 'html' ? findContent(text, BODY, '</body>') : undefined;
  const blocks = cursors.slice(0, snippet.component === undefined ? undefined : 1).map((cursor) => {
    if (body !== undefined && !isWithin(cursor, body)) return insertAbove(file, body.end, code);
    const change = insertLines(file, behind(cursor, imports.end), code, { ...range, top: imports.end });
    return change.start === imports.end ? { ...change, text: `${space}${change.text}` } : change;
  });
  return joinChanges([...imports.changes, ...onceALine(blocks)]);
}

/** Several cursors on a line insert the same lines. */
function onceALine(changes: readonly TextChange[]): readonly TextChange[] {
  const isFirst = ({ start, end }: TextChange, index: number) =>
    changes.findIndex((other) => other.start === start && other.end === end) === index;
  return changes.filter(isFirst);
}

/** Returns the range of the file, or of the script that the place is in. */
function findRange({ text, cursors }: OpenText, { languageId, fileLanguageId }: Place): ImportRange {
  const whole = { start: 0, end: text.length, indentation: '' };
  const [first] = cursors;
  if (languageId === fileLanguageId || first === undefined) return whole;
  const block = findBlocks(text).find(({ start, end }) => start <= first.start && first.start <= end);
  return block === undefined ? whole : { ...block, indentation: contentIndentation(text, block) };
}

function behind({ start, end }: Cursor, top: number): Cursor {
  return { start: Math.max(start, top), end: Math.max(end, top) };
}

const OPENS_BLOCK = /[{[(:]\s*$/;
const CLOSES_BLOCK = /^\s*(?:[)}\]]|<\/)/;

function insertValue({ text, unit }: OpenText, { start, end }: Cursor, value: string): TextChange {
  return { start, end, text: indent(value, unit, indentationOf(lineAround(text, start).text)) };
}

/** Never splits a line: its text stays above, or below if the cursor is at its beginning. */
function insertLines(
  file: OpenText,
  cursor: Cursor,
  code: string,
  range: Cursor & { readonly top?: number } = { start: 0, end: file.text.length },
): TextChange {
  const { text, unit } = file;
  const line = lineAround(text, cursor.start);
  const before = text.slice(line.start, cursor.start);
  // The tags of a script may be on the same line.
  const isInRange = isWithin(line, range);
  // The gap below the imports is planned with them.
  const top = range.top ?? range.start;
  if (cursor.start < cursor.end || !isInRange) return replaceSelection(file, cursor, code);
  const indentation = line.text.trim() === '' ? blankIndentation(file, line) : indentationOf(line.text);
  const written = indentation + indent(code, unit, indentation);
  if (line.text.trim() === '') {
    const gap = gapBelow(file, text.slice(top, line.start), { code, indentation });
    // A file that ended with a line break still does.
    const isLast = line.start > 0 && line.start === text.length;
    return { start: line.start, end: line.end, text: `${gap}${written}${isLast ? '\n' : ''}` };
  }
  if (before.trim() === '') return { start: line.start, end: line.start, text: `${written}\n` };
  const inner = OPENS_BLOCK.test(line.text) ? indentation + unit : indentation;
  const gap = gapBelow(file, `${text.slice(top, line.end)}\n`, { code, indentation: inner });
  return { start: line.end, end: line.end, text: `\n${gap}${inner}${indent(code, unit, inner)}` };
}

/** Returns the empty lines that are missing above a function. It needs none at the beginning of a block. */
function gapBelow(
  { languageId }: OpenText,
  above: string,
  { code, indentation }: { readonly code: string; readonly indentation: string },
): string {
  if (!DECLARES_FUNCTION.test(code) || above.trim() === '' || OPENS_BLOCK.test(above)) return '';
  const lineBreaks = above.slice(above.trimEnd().length).split('\n').length - 1;
  const wanted = indentation === '' ? linesAboveFunction(languageId) : 1;
  return '\n'.repeat(Math.max(0, wanted + 1 - lineBreaks));
}

function replaceSelection({ text, unit }: OpenText, { start, end }: Cursor, code: string): TextChange {
  const line = lineAround(text, start);
  const last = lineAround(text, end);
  const indentation = indentationOf(line.text);
  const isFirst = text.slice(line.start, start).trim() === '';
  const isLast = text.slice(end, last.end).trim() === '';
  return {
    start: isFirst ? line.start : start,
    end: isLast ? last.end : end,
    text: `${isFirst ? '' : '\n'}${indentation}${indent(code, unit, indentation)}${isLast ? '' : `\n${indentation}`}`,
  };
}

interface Line {
  readonly start: number;
  /** Without the line break. */
  readonly end: number;
  readonly text: string;
}

function lineAround(text: string, offset: number): Line {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const lineBreak = /\r?\n/g;
  lineBreak.lastIndex = text.charAt(offset) === '\n' && text.charAt(offset - 1) === '\r' ? offset - 1 : offset;
  const end = lineBreak.exec(text)?.index ?? text.length;
  return { start, end, text: text.slice(start, end) };
}

function indentationOf(line: string): string {
  return /^[^\S\r\n]*/.exec(line)?.[0] ?? '';
}

/**
 * An empty line is indented as in the block that the line above opens, as the line above where the line below closes
 * their block, or else as the lines around it have in common.
 */
function blankIndentation({ text, unit }: OpenText, line: Line): string {
  if (line.text !== '') return line.text;
  const previous = /(?:^|\n)([^\n]*\S[^\n]*)\s*$/.exec(text.slice(0, line.start))?.[1] ?? '';
  const above = indentationOf(previous);
  if (OPENS_BLOCK.test(previous)) return above + unit;
  const next = /^\s*\n([^\n]*\S)/.exec(text.slice(line.end))?.[1] ?? '';
  const below = indentationOf(next);
  return above.startsWith(below) && !CLOSES_BLOCK.test(next) ? below : above;
}

/** Adds code that doesn't fit at the cursors at the end of the module, where any program does. */
function planModule(file: OpenText, program: Program): readonly TextChange[] {
  const { text, languageId, unit, cursors } = file;
  const { component } = program;
  const inJsx = component === undefined ? [] : cursors.filter((cursor) => takesElement(file, cursor));
  const { code, name, isDeclared } = nameComponent(text, program, inJsx.length > 0);
  const elements = inJsx.map((cursor) => insertElement(file, cursor, `<${name} />`));
  const end = text.trimEnd().length;
  const at = cursors.some((cursor) => cursor.end >= end) ? text.length : end;
  const declaration = { start: at, end: at, text: `\n\n${indent(code, unit)}${at < text.length ? '' : '\n'}` };
  const imports = planImports(languageId, text, { start: 0, end: text.length, indentation: '' }, program.imports);
  return joinChanges([...imports.changes, ...onceALine(elements), ...(isDeclared ? [] : [declaration])]);
}

/** Returns a name that the file doesn't declare yet or, if it can be reused, that it declares for the same code. */
function nameComponent(text: string, { code, component = '' }: Program, canReuse: boolean) {
  const packed = text.replace(/\s+/g, '');
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? component : `${component}${count}`;
    const named = code.replace(component, name);
    const isDeclared = canReuse && packed.includes(named.replace(/\s+/g, ''));
    if (component === '' || isDeclared || !declares(text, name)) return { code: named, name, isDeclared };
  }
}

function declares(text: string, name: string): boolean {
  const before = String.raw`\b(?:(?:function|class|const|let|var|type|interface)\s+|import\b[^;'"]*\b)`;
  return new RegExp(`${before}${name}\\b`).test(text);
}

function takesElement({ text, languageId }: OpenText, { start, end }: Cursor): boolean {
  const { jsx } = findPlace(languageId, text, start);
  const isMissing =
    BEFORE_ELEMENT.test(text.slice(0, start).trimEnd()) && /^\s*(?:[\]},:]|\)(?!\s*(?:=>|\{)))/.test(text.slice(end));
  return jsx === 'content' || (jsx === 'expression' && isMissing);
}

/** In the content of another element, the element gets a line of its own. */
function insertElement(file: OpenText, { start, end }: Cursor, element: string): TextChange {
  const { text, languageId } = file;
  if (findPlace(languageId, text, start).jsx === 'expression') return { start, end, text: element };
  const line = lineAround(text, start);
  const last = lineAround(text, end);
  const before = text.slice(line.start, start).trimEnd();
  const after = text.slice(end, last.end);
  const rest = after.trim() === '' ? '' : `\n${indentationOf(line.text)}`;
  return {
    start: line.start + before.length,
    end: rest === '' ? last.end : last.end - after.trimStart().length,
    text: `${before === '' ? '' : '\n'}${elementIndentation(file, { start, end })}${element}${rest}`,
  };
}

function elementIndentation(file: OpenText, { start, end }: Cursor): string {
  const { text, unit } = file;
  const line = lineAround(text, start);
  const isFirst = text.slice(line.start, start).trim() === '';
  if (isFirst && line.text !== '' && line.text.trim() === '') return line.text;
  const above = text.slice(0, start).trimEnd();
  const isInner = /^<(?!\/)[\s\S]*(?<!\/)>$/.test(above.slice(above.lastIndexOf('<')));
  if (isInner) return indentationOf(lineAround(text, above.length).text) + unit;
  const next = text.length - text.slice(end).trimStart().length;
  if (isFirst && text.startsWith('</', next)) return indentationOf(lineAround(text, next).text) + unit;
  return line.text === '' ? blankIndentation(file, line) : indentationOf(line.text);
}

/** A component has its imports and declarations in its script, and its element in its markup. */
function planComponent(file: OpenText, program: Program): readonly TextChange[] {
  const { text, languageId, unit, cursors } = file;
  if (text.trim() === '') {
    return [{ start: 0, end: text.length, text: `${indent(wholeComponent(program, languageId), unit)}\n` }];
  }
  const isVue = languageId === 'vue';
  const markup = isVue ? findContent(text, TEMPLATE, '</template>') : undefined;
  const hasMarkup = !isVue || markup !== undefined;
  const inMarkup = cursors.filter((cursor) => !markup || isWithin(cursor, markup));
  const places = inMarkup.length > 0 || markup === undefined ? cursors : [{ start: markup.end, end: markup.end }];
  const code = hasMarkup ? program.code : componentMarkup(program.code, languageId);
  const elements = places.map((cursor) =>
    cursor.start === markup?.end ? insertAbove(file, cursor.start, code) : insertLines(file, cursor, code),
  );
  return joinChanges([...planScript(file, program), ...onceALine(elements)]);
}

function planScript({ text, languageId, unit }: OpenText, program: Program): readonly TextChange[] {
  const isOwn = ({ name, attributes }: { readonly name: string; readonly attributes: string }) =>
    name === 'script' && (languageId === 'vue' ? /\bsetup\b/ : /^(?!.*\bmodule\b)/s).test(attributes);
  const script = findBlocks(text).find(isOwn);
  if (script === undefined) {
    return [{ start: 0, end: 0, text: `${indent(componentScript(program, languageId), unit)}\n\n` }];
  }
  const indentation = contentIndentation(text, script);
  const { changes } = planImports('javascript', text, { ...script, indentation }, program.imports);
  const content = text.slice(script.start, script.end);
  const at = script.start + content.trimEnd().length;
  const setup = `\n\n${indentation}${indent(program.setup ?? '', unit, indentation)}`;
  const isClosed = /\n[^\S\n]*$/.test(content.slice(content.trimEnd().length));
  return [...changes, { start: at, end: at, text: isClosed ? setup : `${setup}\n` }];
}

const BODY = /<body\b(?:"[^"]*"|'[^']*'|[^>"'])*>/;
const TEMPLATE = /^<template\b[^>]*>/m;

/** Finds the content of an element that a file has once. */
function findContent(text: string, openingTag: RegExp, closingTag: string): Cursor | undefined {
  const open = openingTag.exec(text);
  const end = text.lastIndexOf(closingTag);
  return open === null || end < open.index ? undefined : { start: open.index + open[0].length, end };
}

function isWithin(inner: Cursor, outer: Cursor): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Inserts code above the closing tag of an element. */
function insertAbove({ text, unit }: OpenText, offset: number, code: string): TextChange {
  const line = lineAround(text, offset);
  const indentation = indentationOf(line.text) + unit;
  const isOwnLine = text.slice(line.start, offset).trim() === '';
  const at = isOwnLine ? line.start : offset;
  const written = `${indentation}${indent(code, unit, indentation)}\n`;
  return { start: at, end: at, text: isOwnLine ? written : `\n${written}` };
}

function contentIndentation(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return /^([^\S\n]*)\S/m.exec(text.slice(start, end).replace(/^[^\n]*\n/, ''))?.[1] ?? '';
}
