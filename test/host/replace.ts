import { type Disposable, onDispose } from '../../src/util/disposable.ts';

/** Puts something else in the place of a property, which may be a getter or inherited, until it is disposed. */
export function replace(owner: object, name: string, value: unknown): Disposable {
  const before = Reflect.getOwnPropertyDescriptor(owner, name);
  const now = { value, configurable: true, enumerable: true, writable: true };
  if (!Reflect.defineProperty(owner, name, now)) throw new Error(`${name} cannot be replaced`);
  return onDispose(() => {
    if (before === undefined) Reflect.deleteProperty(owner, name);
    else Reflect.defineProperty(owner, name, before);
  });
}
