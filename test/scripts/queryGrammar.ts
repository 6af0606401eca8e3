import { isNode, type Sources, type SyntaxNode, walkSource } from '../support/rules/importGraph.ts';
import { keyName, lineSpan } from './syntax.ts';

const MAY_WRITE_QUERIES = /^src\/(api|demo|model\/account)\//;

const LIST_METHODS: ReadonlySet<string | undefined> = new Set([
  'listStreams',
  'listSessions',
  'listUserSessions',
  'eachStreamPage',
  'eachStreamJsonPage',
]);
const QUERY_TYPES: ReadonlySet<string | undefined> = new Set(['StreamQuery', 'SessionQuery', 'UserSessionQuery']);
const QUERY_KEYS: ReadonlySet<string | undefined> = new Set(['parentsOnly', 'filters', 'order', 'cursor']);
const ORDER = /^\w+-(true|false)(,\w+-(true|false))*$/;

/**
 * Places outside src/api, src/model/account and src/demo (which plays the service) that spell out how the service is queried, as 'path:line: what'. A place is
 * one of these, and what stands inside a place is not counted again:
 * - a query: an object literal with a key parentsOnly, filters, order or cursor that is passed to a list method (listStreams,
 *   eachStreamPage, …), directly or through a variable of that name in the same file, or whose variable is annotated with a
 *   query type;
 * - a filter: an object literal with exactly the keys id and value;
 * - an order: a text such as 'createdAt-true,id-true', also as a template or a type.
 * Variables are matched by name, not by scope. A query that only has a limit doesn't count.
 */
export function findQueryGrammar(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => (MAY_WRITE_QUERIES.test(path) ? [] : findInFile(path, source)));
}

function findInFile(path: string, source: string): string[] {
  const passed = namesPassed(path, source);
  const counted = new Set<SyntaxNode>();
  const found: string[] = [];
  walkSource(path, source, (node, parents) => {
    if (parents.some((parent) => counted.has(parent))) return;
    const what = isQuery(node, parents, passed) ? 'query' : isFilter(node) ? 'filter' : isOrder(node) ? 'order' : '';
    if (what === '') return;
    counted.add(node);
    found.push(`${path}:${lineSpan(node)[0]}: ${what}`);
  });
  return found;
}

/** All names in the arguments of list methods. */
function namesPassed(path: string, source: string): ReadonlySet<string | undefined> {
  const names = new Set<string | undefined>();
  walkSource(path, source, (node, parents) => {
    if (node.type === 'Identifier' && isPassed(node, parents)) names.add(keyName(node));
  });
  return names;
}

function isQuery(node: SyntaxNode, parents: readonly SyntaxNode[], passed: ReadonlySet<string | undefined>): boolean {
  if (!keysOf(node).some((key) => QUERY_KEYS.has(key))) return false;
  if (isPassed(node, parents)) return true;
  const owner = parents.findLast(({ type }) => type === 'VariableDeclarator' || /Function|Method/.test(type));
  if (owner?.type !== 'VariableDeclarator') return false;
  return passed.has(keyName(owner.id)) || QUERY_TYPES.has(annotatedType(owner.id));
}

function isFilter(node: SyntaxNode): boolean {
  return keysOf(node).sort().join() === 'id,value';
}

function isOrder(node: SyntaxNode): boolean {
  if (node.type === 'StringLiteral') return ORDER.test(String(node.value));
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return false;
  // Any value will do for what is filled in.
  return ORDER.test(node.quasis.map(({ value }) => value.raw).join('value'));
}

/** Whether a node stands in an argument of a list method. */
function isPassed(node: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  return parents.some((call, depth) => {
    if (!/^(Optional)?CallExpression$/.test(call.type) || !isNode(call.callee)) return false;
    return LIST_METHODS.has(keyName(call.callee.property)) && (parents[depth + 1] ?? node) !== call.callee;
  });
}

/** The keys written in an object literal; '...' for what is spread or computed. Empty for any other node. */
function keysOf({ type, properties }: SyntaxNode): string[] {
  if (type !== 'ObjectExpression' || !Array.isArray(properties)) return [];
  return properties.map(({ key, computed }) => (computed === true ? undefined : keyName(key)) ?? '...');
}

/** `StreamQuery` in `const query: StreamQuery`. */
function annotatedType(id: unknown): string | undefined {
  const annotation = isNode(id) && isNode(id.typeAnnotation) ? id.typeAnnotation.typeAnnotation : undefined;
  return isNode(annotation) ? keyName(annotation.typeName) : undefined;
}
