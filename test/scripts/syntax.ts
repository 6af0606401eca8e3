import { isNode, type SyntaxNode } from '../support/rules/importGraph.ts';

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
