import { globSync, readFileSync } from 'node:fs';
import { inProject } from '../projectFolder.ts';
import { type SyntaxNode, walkSource } from '../rules/syntax.ts';

/** A file without these has none, and needn't be parsed. */
const WORDS = /[.{[]\s*['"]?(only|skip)\b|,\s*(only|skip)\s*[,:=}]|\b(xit|xdescribe|xcontext|xspecify)\b/;
const LEAVES_OUT: ReadonlySet<unknown> = new Set(['only', 'skip']);
const LEFT_OUT: ReadonlySet<unknown> = new Set(['xit', 'xdescribe', 'xcontext', 'xspecify']);

/**
 * What leaves tests out of a run, wherever it stands in the sources of the tests: `.only`, `.skip`, `xit` and the like.
 * @returns a line each: 'test/unit/a.test.ts:7: it.only'
 */
export function findLeftOutTests(folder = inProject()): readonly string[] {
  const files = globSync('test/!(bench)/**/*.ts', { cwd: folder }).sort();
  return files.flatMap((file) => {
    const source = readFileSync(`${folder}/${file}`, 'utf8');
    return WORDS.test(source) ? leftOutIn(file, source) : [];
  });
}

function leftOutIn(file: string, source: string): readonly string[] {
  const found: string[] = [];
  walkSource(file, source, (node) => {
    if (leavesOut(node)) found.push(`${file}:${lineOf(node)}: ${source.slice(Number(node.start), Number(node.end))}`);
  });
  return found;
}

function leavesOut(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return LEAVES_OUT.has(nameOf(node.property));
    case 'Identifier':
      return LEFT_OUT.has(node.name);
    case 'ObjectPattern':
      return Array.isArray(node.properties) && node.properties.some((each) => LEAVES_OUT.has(nameOf(each?.key)));
    default:
      return false;
  }
}

/** Of a property, whether it is written `.only` or `['only']`. */
function nameOf(property: unknown): unknown {
  const { type, name, value } = (property ?? {}) as SyntaxNode;
  return type === 'StringLiteral' ? value : name;
}

function lineOf({ loc }: SyntaxNode): number {
  return (loc as { readonly start: { readonly line: number } }).start.line;
}
