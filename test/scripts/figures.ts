import { posix } from 'node:path';
import { readImports, type Sources } from '../support/rules/importGraph.ts';
import { isNode, keyName, lineSpan, type SyntaxNode, walkSource } from '../support/rules/syntax.ts';

/** A function that is written in the sources, with its body. */
interface WrittenFunction {
  /** Undefined for a callback: a function that is only passed on or returned. */
  readonly name: string | undefined;
  /** 'src/util/events.ts:7' */
  readonly place: string;
  readonly lines: number;
  readonly parameters: number;
  /** Stands in another function. */
  readonly isInner: boolean;
}

export interface Folder {
  readonly path: string;
  /** Files directly in it. */
  readonly files: number;
}

const MAY_USE_STREAM_API = /^src\/(api\/|model\/account\/|extension\.ts$)/;
const STREAM_API = 'src/api/streamApi.ts';
const FUNCTION =
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod|ClassPrivateMethod)$/;

/** Lines of all files, without the empty ones at a file's end. */
export function countLines(sources: Sources): number {
  return sum([...sources.values()].map((source) => source.trimEnd().split('\n').length));
}

/** All folders with files directly in them, largest first. */
export function listFolders(sources: Sources): Folder[] {
  const folders = Map.groupBy(sources.keys(), (path) => posix.dirname(path));
  return [...folders].map(([path, { length }]) => ({ path, files: length })).sort((a, b) => b.files - a.files);
}

/** All functions with a body. Signatures in types and overloads are not among them. */
export function listFunctions(sources: Sources): WrittenFunction[] {
  const found: WrittenFunction[] = [];
  walkSources(sources, (node, parents, path) => {
    if (!FUNCTION.test(node.type)) return;
    const [first, last] = lineSpan(node);
    found.push({
      name: keyName(node.id) ?? keyName(node.key) ?? nameGivenBy(parents.at(-1), node),
      place: `${path}:${first}`,
      lines: last - first + 1,
      parameters: nodesOf(node.params).filter(({ name }) => name !== 'this').length,
      isInner: parents.some(({ type }) => FUNCTION.test(type)),
    });
  });
  return found;
}

/**
 * The functions whose length is measured: those with a name, and callbacks outside any function. Other callbacks are left
 * out, because their lines already count in the function around them.
 */
export function listMeasured(functions: readonly WrittenFunction[]): WrittenFunction[] {
  return functions.filter(({ name, isInner }) => name !== undefined || !isInner);
}

/** The smallest of the values that is not exceeded by this share of them (nearest rank); 0 if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Files that exactly one other file imports, for values or types, with that file. */
export function findSingleImporters(sources: Sources): ReadonlyMap<string, string> {
  const imports = [...sources].flatMap(([path, source]) => readImports(path, source));
  const importers = Map.groupBy(imports, ({ to }) => to);
  const single = new Map<string, string>();
  for (const path of sources.keys()) {
    const [first, ...others] = new Set(importers.get(path)?.map(({ from }) => from));
    if (first !== undefined && others.length === 0) single.set(path, first);
  }
  return single;
}

export function countDocBlocks(sources: Sources): number {
  const found = new Set<string>();
  // The parser attaches a comment to the node before it and to the one after it.
  walkSources(sources, ({ type, value, start }, _, path) => {
    if (type === 'CommentBlock' && String(value).startsWith('*')) found.add(`${path}:${start}`);
  });
  return found.size;
}

/** Files of src/host without the word `vscode`, comments included. Packages such as '@vscode/l10n' don't count as the word. */
export function findHostWithoutVscode(sources: Sources): string[] {
  return pathsWhere(sources, (path, source) => path.startsWith('src/host/') && !/(?<!@)\bvscode\b/.test(source));
}

/** Files that import api/streamApi.ts and name StreamApi, although they belong neither to the API nor to the account. */
export function findStreamApiUsers(sources: Sources): string[] {
  return pathsWhere(sources, (path, source) => {
    if (MAY_USE_STREAM_API.test(path) || !/\bStreamApi\b/.test(source)) return false;
    return readImports(path, source).some(({ to }) => to === STREAM_API);
  });
}

const SIBLING = /^src\/(tree|commands|agents|panels)\//;

/** Imports of values and types from one of the four siblings in another. */
export function findSiblingImports(sources: Sources): string[] {
  const imports = [...sources].flatMap(([path, source]) => readImports(path, source));
  return imports.flatMap(({ from, to }) => {
    const [one, other] = [SIBLING.exec(from)?.[1], SIBLING.exec(to)?.[1]];
    return one === undefined || other === undefined || one === other ? [] : [`${from} imports ${to}`];
  });
}

/** Where types are picked from another type, once for each use. */
export function findPicks(sources: Sources): string[] {
  const found: string[] = [];
  walkSources(sources, (node, _, path) => {
    if (node.type !== 'TSTypeReference' && node.type !== 'TSExpressionWithTypeArguments') return;
    if (keyName(node.typeName ?? node.expression) === 'Pick') found.push(`${path}:${lineSpan(node)[0]}`);
  });
  return found;
}

/** Exported names that more than one file declares, with these files. What is only re-exported is not declared. */
export function findSharedNames(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const exported = [...sources].flatMap(([path, source]) =>
    [...new Set(exportedNames(path, source))].map((name) => ({ name, path })),
  );
  const byName = [...Map.groupBy(exported, ({ name }) => name)];
  return new Map(
    byName.filter(([, { length }]) => length > 1).map(([name, files]) => [name, files.map(({ path }) => path)]),
  );
}

function exportedNames(path: string, source: string): string[] {
  const imported = new Set<unknown>();
  const names: (string | undefined)[] = [];
  walkSource(path, source, (node, parents) => {
    if (/^Import.*Specifier$/.test(node.type)) imported.add(keyName(node.local));
    if (node.type !== 'ExportNamedDeclaration' || parents.at(-1)?.type !== 'Program') return;
    names.push(...declaredNames(node.declaration));
    if (isNode(node.source)) return;
    const own = nodesOf(node.specifiers).filter(({ local }) => !imported.has(keyName(local)));
    names.push(...own.map(({ exported }) => keyName(exported)));
  });
  return names.filter((name) => name !== undefined);
}

function declaredNames(declaration: unknown): (string | undefined)[] {
  if (!isNode(declaration)) return [];
  if (declaration.type !== 'VariableDeclaration') return [keyName(declaration.id)];
  return nodesOf(declaration.declarations).flatMap(({ id }) => boundNames(id));
}

/** The names in `a`, `{ a, b: c }` and `[a, b]`. */
function boundNames(pattern: unknown): (string | undefined)[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'ObjectPattern') return nodesOf(pattern.properties).flatMap(({ value }) => boundNames(value));
  if (pattern.type === 'ArrayPattern') return nodesOf(pattern.elements).flatMap(boundNames);
  return [keyName(pattern)];
}

/** The name in `const name = () => …`, `{ name: () => … }`, `readonly name = () => …` and `x.name = () => …`. */
function nameGivenBy(parent: SyntaxNode | undefined, node: SyntaxNode): string | undefined {
  if (parent?.type === 'VariableDeclarator') return keyName(parent.id);
  if (parent?.type === 'AssignmentExpression') return assignedName(parent.left);
  return parent !== undefined && /Property$/.test(parent.type) && parent.value === node
    ? keyName(parent.key)
    : undefined;
}

function assignedName(left: unknown): string | undefined {
  return isNode(left) && left.type === 'MemberExpression' ? keyName(left.property) : keyName(left);
}

function nodesOf(list: unknown): SyntaxNode[] {
  return Array.isArray(list) ? list.filter(isNode) : [];
}

function pathsWhere(sources: Sources, matches: (path: string, source: string) => boolean): string[] {
  return [...sources].filter(([path, source]) => matches(path, source)).map(([path]) => path);
}

type VisitIn = (node: SyntaxNode, parents: readonly SyntaxNode[], path: string) => void;

function walkSources(sources: Sources, visit: VisitIn): void {
  for (const [path, source] of sources) walkSource(path, source, (node, parents) => visit(node, parents, path));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
