import { isNode, lineSpan, walkSource } from './syntax.ts';

/** A title that begins so goes on with the subject of its describe, as "that is cut goes on" does. */
const GOES_ON =
  /^(of|with|without|for|in|on|at|by|from|to|over|under|before|after|when|where|while|if|unless|until|as|because|though|although|and|but|or|nor|that|which|who|whose|too)\b/;
/** A describe like this is half a sentence, which each of its titles ends. */
const IS_HALF = /([,:]|\b(that|which|who|whose|of|with|for|to|from|and|or|is|are))$|^(when|where|while|if)\b/i;

/** Returns a line for each title of `it` and `describe` that means nothing alone: 'a.test.ts:7: of 20 GB'. */
export function findTitleFaults(path: string, source: string): readonly string[] {
  const found: string[] = [];
  walkSource(path, source, (node) => {
    const { type, callee, arguments: given } = node;
    if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'Identifier' || !Array.isArray(given)) return;
    const title = given.map(readText).find((text) => text !== undefined);
    if (title === undefined) return;
    const isFault =
      callee.name === 'it' ? GOES_ON.test(title) : /^describe(With)?$/.test(String(callee.name)) && IS_HALF.test(title);
    if (isFault) found.push(`${path}:${lineSpan(node)[0]}: ${title}`);
  });
  return found;
}

/** Of a template, what stands around its expressions. */
function readText(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return undefined;
  return node.quasis.map(({ value }) => value.cooked).join('…');
}
