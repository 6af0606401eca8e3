import { isApiError } from './errors.ts';

const DEEPEST_CAUSE = 3;

/**
 * Returns the text to log for an error and its causes. ApiErrors and causes appear with their message, which holds no
 * secret; any other error is a bug and keeps its stack.
 */
export function errorText(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return `A value of type ${typeof error} was thrown`;
  const isMistake = !isApiError(error) && depth === 0;
  const own = isMistake ? [messageOf(error), ...framesOf(error)].join('\n') : messageOf(error);
  if (error.cause === undefined || depth >= DEEPEST_CAUSE) return own;
  return `${own}\n  because: ${errorText(error.cause, depth + 1)}`;
}

function messageOf(error: Error): string {
  // The message of JSON.parse quotes its input, which may be anything a service sent.
  return error instanceof SyntaxError ? error.name : `${error.name}: ${error.message}`;
}

function framesOf(error: Error): readonly string[] {
  return (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
}
