import type { Node } from '../../tree/nodes.ts';
import { requireId } from './reading.ts';

const KINDS: ReadonlySet<unknown> = new Set<Node['kind']>([
  'group',
  'stream',
  'session',
  'child',
  'orphans',
  'recordings',
  'day',
  'recording',
  'more',
  'retry',
  'empty',
  'notice',
]);

/** The row a command was run on, when it was. Throws a Refusal for one whose ids could not be in a path: anyone can make rows up. */
export function givenRow(given: unknown): Node | undefined {
  if (!isRow(given)) return undefined;
  if ('of' in given) givenRow(given.of);
  for (const key of ['streamId', 'sessionId', 'parentId']) {
    const id: unknown = Reflect.get(given, key);
    if (id !== undefined) requireId(id);
  }
  return given;
}

/**
 * What a command was run on: the rows chosen together (VS Code sends them as the second argument), else the one given.
 * Empty when nothing was given.
 */
export function givenTargets(args: readonly unknown[]): readonly unknown[] {
  const [first, chosen] = args;
  if (Array.isArray(chosen) && chosen.length > 0) return chosen;
  return first === undefined || first === null ? [] : [first];
}

/** The id that was given, as a string or {id}; throws a Refusal for one that could not be in a path. */
export function givenId(given: unknown): string {
  return requireId(typeof given === 'object' && given !== null && 'id' in given ? given.id : given);
}

function isRow(given: unknown): given is Node {
  return typeof given === 'object' && given !== null && 'kind' in given && 'id' in given && KINDS.has(given.kind);
}
