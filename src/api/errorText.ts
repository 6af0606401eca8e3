import { isApiError } from './errors.ts';

const DEEPEST_CAUSE = 3;

/**
 * What the log says about an error, with its causes. The API's own errors and those below them are told by their message,
 * which holds no secret; others are mistakes in the code and keep their stack.
 */
export function errorText(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return `A value of type ${typeof error} was thrown`;
  const isMistake = !isApiError(error) && depth === 0;
  const own = isMistake ? [messageOf(error), ...framesOf(error)].join('\n') : messageOf(error);
  if (error.cause === undefined || depth >= DEEPEST_CAUSE) return own;
  return `${own}\n  because: ${errorText(error.cause, depth + 1)}`;
}

/** JSON.parse repeats what it was given in its message: that may be anything a service sent. */
function messageOf(error: Error): string {
  return error instanceof SyntaxError ? error.name : `${error.name}: ${error.message}`;
}

/** The stack without its first lines, which are the message again. */
function framesOf(error: Error): readonly string[] {
  return (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
}
