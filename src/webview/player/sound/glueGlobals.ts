/**
 * Replacements for the globals of these names in audio-file-decoder; the build injects them (esbuild.mjs). Its glue
 * makes functions from text, which the policy of our pages refuses ('unsafe-eval'), mistakes any `process` for Node's, and
 * logs each damaged frame.
 */
export { makeFunction as Function, noConsole as console, noProcess as process };

const noProcess = undefined;
const noConsole = { log: () => undefined, warn: () => undefined };

type Callable = (...values: unknown[]) => unknown;

/** The values that the glue passes by name to the functions that it makes for the module's own. */
interface GlueValues {
  readonly throwBindingError: (message: string) => never;
  readonly invoker: Callable;
  readonly fn: unknown;
  readonly runDestructors: (destructors: unknown[]) => void;
  readonly retType: { fromWireType(value: unknown): unknown };
  readonly classParam: WireType;
}

interface WireType {
  toWireType(destructors: unknown[] | null, value: unknown): unknown;
}

/** Replaces `Function(...names, body)` of embind, which makes two kinds of functions (Emscripten 2.0, embind.js). */
function makeFunction(...names: string[]): Callable {
  const body = names.pop() ?? '';
  return names[0] === 'body' ? nameFunction : (...values) => makeInvoker(names, values, body);
}
// The glue checks whether this is an instance of itself.
Object.defineProperty(makeFunction, Symbol.hasInstance, { value: () => true });

/** Unlike embind's, the function has no name; nothing depends on it. */
function nameFunction(body: unknown): unknown {
  return function (this: unknown, ...values: unknown[]) {
    return Reflect.apply(body as Callable, this, values);
  };
}

function makeInvoker(names: readonly string[], values: readonly unknown[], body: string): Callable {
  const parts = Object.fromEntries(names.map((name, at) => [name, values[at]]));
  const { throwBindingError, invoker, fn, runDestructors, retType, classParam } = parts as unknown as GlueValues;
  const types = names.filter((name) => name.startsWith('argType')).map((name) => parts[name] as WireType);
  const hasDestructors = body.includes('var destructors');
  const isMethod = body.includes('var thisWired');
  const returns = body.includes('var rv');
  const own = names.filter((name) => name.endsWith('_dtor'));
  return function (this: unknown, ...given: unknown[]) {
    if (given.length !== types.length) throwBindingError(`${given.length} arguments instead of ${types.length}`);
    const destructors: unknown[] | null = hasDestructors ? [] : null;
    const wired: Record<string, unknown> = {};
    if (isMethod) wired.thisWired = classParam.toWireType(destructors, this);
    for (const [at, type] of types.entries()) wired[`arg${at}Wired`] = type.toWireType(destructors, given[at]);
    const result = invoker(fn, ...Object.values(wired));
    if (destructors !== null) runDestructors(destructors);
    else for (const name of own) (parts[name] as Callable)(wired[name.replace(/_dtor$/, '')]);
    return returns ? retType.fromWireType(result) : undefined;
  };
}
