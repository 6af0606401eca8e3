export interface Printing<C> {
  readonly context: C;
  /** Returns the context for the value of a key; the key is undefined in arrays. */
  readonly inside: (context: C, key: string | undefined) => C;
  readonly leaf: (value: unknown, context: C) => unknown;
  readonly key: (key: string) => string;
}

interface Frame<C> {
  readonly value: object;
  readonly keys: readonly string[] | undefined;
  readonly context: C;
  index: number;
}

/** Deeper levels aren't indented further: the text would grow with the square of the depth. */
const MAX_INDENT = 40;

/**
 * Prints JSON data with two spaces per level. Unlike JSON.stringify, doesn't recurse, so that data with a hundred
 * thousand levels can be printed.
 */
export function printJson<C>(root: unknown, printing: Printing<C>): string {
  const parts: string[] = [];
  const stack: Frame<C>[] = [];
  open(root, printing.context);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) step(frame);
  return parts.join('');

  function open(value: unknown, context: C): void {
    if (typeof value !== 'object' || value === null) {
      parts.push(JSON.stringify(printing.leaf(value, context)) ?? 'null');
      return;
    }
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    parts.push(keys === undefined ? '[' : '{');
    stack.push({ value, keys, context, index: 0 });
  }

  function step(frame: Frame<C>): void {
    const { keys, value, context, index } = frame;
    const length = keys === undefined ? (value as readonly unknown[]).length : keys.length;
    if (index >= length) {
      close(frame, length);
      return;
    }
    frame.index += 1;
    parts.push(index === 0 ? '' : ',', lineBreak(stack.length));
    const key = keys?.[index];
    if (key !== undefined) parts.push(JSON.stringify(printing.key(key)), ': ');
    const child = key === undefined ? (value as readonly unknown[])[index] : (value as Record<string, unknown>)[key];
    open(child, printing.inside(context, key));
  }

  function close(frame: Frame<C>, length: number): void {
    stack.pop();
    if (length > 0) parts.push(lineBreak(stack.length));
    parts.push(frame.keys === undefined ? ']' : '}');
  }
}

function lineBreak(level: number): string {
  return `\n${'  '.repeat(Math.min(level, MAX_INDENT))}`;
}
