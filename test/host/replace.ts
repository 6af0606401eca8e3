import { type Disposable, onDispose } from '../../src/util/disposable.ts';

/** Puts something else in the place of a property until it is disposed. */
export function replace(owner: object, name: string, value: unknown): Disposable {
  const before: unknown = Reflect.get(owner, name);
  if (!Reflect.set(owner, name, value)) throw new Error(`${name} cannot be replaced`);
  return onDispose(() => Reflect.set(owner, name, before));
}
