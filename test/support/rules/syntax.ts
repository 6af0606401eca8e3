import { type ParseResult, parse } from '@babel/parser';
import { isRecord } from '../../../src/util/isRecord.ts';

export type SyntaxNode = Readonly<Record<string, unknown>> & { readonly type: string };
type Visit = (node: SyntaxNode, parents: readonly SyntaxNode[]) => void;

/**
 * Visits every node of a TypeScript source, with those it stands in, outermost first. Throws where it cannot be parsed.
 * Babel's parser because TypeScript 7 has no parser in JavaScript any more, and lexers of modules do not see what exists
 * in types alone.
 */
export function walkSource(path: string, source: string, visit: Visit): void {
  walk(programOf(path, source), [], visit);
}

/** By its source: several rules read the same files. Programs that nobody reads may be collected. */
const PROGRAMS = new Map<string, WeakRef<ParseResult['program']>>();

function programOf(path: string, source: string): ParseResult['program'] {
  const known = PROGRAMS.get(source)?.deref();
  if (known !== undefined) return known;
  const { program } = parse(source, {
    sourceType: 'module',
    plugins: ['typescript'],
    createImportExpressions: true,
    sourceFilename: path,
  });
  PROGRAMS.set(source, new WeakRef(program));
  return program;
}

/** `parents` is the same array for all nodes, so that it is only valid while a node is visited. */
function walk(value: unknown, parents: SyntaxNode[], visit: Visit): void {
  if (Array.isArray(value)) for (const item of value) walk(item, parents, visit);
  else if (isNode(value)) {
    visit(value, parents);
    parents.push(value);
    for (const child of Object.values(value)) if (typeof child === 'object') walk(child, parents, visit);
    parents.pop();
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return isRecord(value) && typeof value.type === 'string';
}

/** The name in an identifier, a private name ('#name') or a text used as a key; undefined for anything else. */
export function keyName(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'PrivateName') return `#${keyName(node.id)}`;
  const name = node.type === 'Identifier' ? node.name : node.type === 'StringLiteral' ? node.value : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The first and the last line of a node, counted from 1. */
export function lineSpan({ loc }: SyntaxNode): readonly [first: number, last: number] {
  const { start, end } = loc as { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  return [start.line, end.line];
}
