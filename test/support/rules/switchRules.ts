import { isNode, lineSpan, type SyntaxNode, walkSource } from './syntax.ts';

/**
 * Switches that forget a case without the compiler noticing, as 'path:line': those without a default in a function that
 * returns nothing. They end with `satisfies never`; where a value is returned, `noImplicitReturns` finds what is missing.
 */
export function findOpenSwitches(path: string, source: string): string[] {
  const found: string[] = [];
  walkSource(path, source, (node, parents) => {
    if (node.type !== 'SwitchStatement' || hasDefault(node)) return;
    const enclosing = parents.findLast(({ type }) => /Function|Method/.test(type));
    const declared = enclosing && textOf(source, enclosing.returnType);
    const isNothing = enclosing?.async === true ? /\bvoid\b/ : /^:\s*void$/;
    if (declared === undefined || isNothing.test(declared)) found.push(`${path}:${lineSpan(node)[0]}`);
  });
  return found;
}

function hasDefault({ cases }: SyntaxNode): boolean {
  return Array.isArray(cases) && cases.some((each: SyntaxNode) => each.test === null);
}

function textOf(source: string, node: unknown): string | undefined {
  return isNode(node) ? source.slice(Number(node.start), Number(node.end)) : undefined;
}
