import { posix } from 'node:path';
import { isNode, type SyntaxNode, walkSource } from './syntax.ts';

/** Sources by their path from the project's folder, with forward slashes: 'src/util/events.ts'. */
export type Sources = ReadonlyMap<string, string>;

export interface ImportRef {
  readonly from: string;
  /** A path as in Sources, or a package as it is written: 'vscode', 'node:fs'. */
  readonly to: string;
  readonly isTypeOnly: boolean;
  /** With import(), when the code gets there. */
  readonly isLate: boolean;
}

/**
 * All imports of a file: static, re-exported, dynamic, `import('x').T` in types, `require`. Throws where the file cannot
 * be parsed; an import whose target is computed is `to: '(computed)'`.
 */
export function readImports(from: string, source: string): ImportRef[] {
  const found: ImportRef[] = [];
  walkSource(from, source, (node) => {
    const target = importedBy(node);
    if (target === undefined) return;
    const isLate = node.type === 'ImportExpression';
    found.push({ from, to: resolve(from, target), isTypeOnly: isTypeOnly(node), isLate });
  });
  return found;
}

const SOURCE_OF: Readonly<Record<string, (node: SyntaxNode) => unknown>> = {
  ImportDeclaration: (node) => node.source,
  ExportNamedDeclaration: (node) => node.source,
  ExportAllDeclaration: (node) => node.source,
  ImportExpression: (node) => node.source,
  TSImportType: (node) => node.argument,
  TSExternalModuleReference: (node) => node.expression,
  CallExpression: (node) =>
    isNode(node.callee) && node.callee.name === 'require' ? firstOf(node.arguments) : undefined,
};

function importedBy(node: SyntaxNode): string | undefined {
  const source = SOURCE_OF[node.type]?.(node);
  if (!isNode(source)) return undefined;
  return source.type === 'StringLiteral' && typeof source.value === 'string' ? source.value : '(computed)';
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function isTypeOnly(node: SyntaxNode): boolean {
  if (node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type') return true;
  const names = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
  return names.length > 0 && names.every((name) => name.importKind === 'type' || name.exportKind === 'type');
}

function resolve(from: string, target: string): string {
  return target.startsWith('.') ? posix.join(posix.dirname(from), target) : target;
}

/** The first cycle among the imports, as the files on its way: [a, b, a]; undefined where there is none. */
export function findCycle(imports: readonly ImportRef[]): string[] | undefined {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const follow = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const { to } of targets.get(file) ?? []) {
      const cycle = follow(to, [...path, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const cycle = follow(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** The longest way from file to file along the imports, which must have no cycle. */
export function findLongestChain(imports: readonly ImportRef[]): readonly string[] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const known = new Map<string, readonly string[]>();
  const follow = (file: string): readonly string[] => {
    const found = known.get(file);
    if (found !== undefined) return found;
    const chains = (targets.get(file) ?? []).map(({ to }) => follow(to));
    const chain = [file, ...longest(chains)];
    known.set(file, chain);
    return chain;
  };
  return longest([...targets.keys()].map(follow));
}

function longest(chains: readonly (readonly string[])[]): readonly string[] {
  return chains.reduce((a, b) => (b.length > a.length ? b : a), []);
}
