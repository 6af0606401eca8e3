import type { ViewNode } from '../../model/rows/nodes.ts';
import { isNodeKind } from '../../model/rows/rowActions.ts';
import { requireId } from '../../texts/refusals.ts';

/**
 * Returns the row a command was run on, if any. Throws a Refusal if its IDs aren't safe in a path: any extension can
 * make up rows.
 */
export function givenRow(given: unknown): ViewNode | undefined {
  if (!isRow(given)) return undefined;
  if ('of' in given && givenRow(given.of) === undefined) requireId(undefined);
  for (const key of ['streamId', 'sessionId', 'parentId']) {
    const id: unknown = Reflect.get(given, key);
    if (id !== undefined) requireId(id);
  }
  return given;
}

/**
 * Returns what a command was run on: the selected rows (VS Code passes them as the second argument), or otherwise the
 * first argument. Empty if there are no arguments.
 */
export function givenTargets(args: readonly unknown[]): readonly unknown[] {
  const [first, chosen] = args;
  if (Array.isArray(chosen) && chosen.length > 0) return chosen;
  return first === undefined || first === null ? [] : [first];
}

/**
 * Returns what a command was run on, each once, or the picker's result; undefined if that is dismissed. `refer`
 * returns undefined for targets that the command ignores.
 */
export async function resolveEach<R extends { readonly id: string }, T>(
  args: readonly unknown[],
  {
    refer,
    resolve,
    pick,
  }: {
    readonly refer: (given: unknown) => R | undefined;
    readonly resolve: (reference: R) => Promise<T>;
    readonly pick: () => Promise<T | undefined>;
  },
): Promise<readonly T[] | undefined> {
  const references = givenTargets(args).map(refer);
  const distinct = new Map(references.filter((each) => each !== undefined).map((each) => [each.id, each]));
  if (distinct.size > 0) return Promise.all([...distinct.values()].map(resolve));
  const picked = await pick();
  return picked === undefined ? undefined : [picked];
}

/** Returns the given ID, a string or {id}. Throws a Refusal if it isn't safe in a path. */
export function givenId(given: unknown): string {
  return requireId(typeof given === 'object' ? givenField(given, 'id') : given);
}

export function givenField(given: unknown, key: string): unknown {
  return typeof given === 'object' && given !== null ? Reflect.get(given, key) : undefined;
}

export function givenText(given: unknown, key: string): string | undefined {
  const value = givenField(given, key);
  return typeof value === 'string' ? value : undefined;
}

function isRow(given: unknown): given is ViewNode {
  return typeof given === 'object' && given !== null && 'kind' in given && 'id' in given && isNodeKind(given.kind);
}
