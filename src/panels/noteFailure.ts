import { isApiError } from '../api/errors.ts';
import type { Log } from '../services.ts';

/** Logs what could not be done: in a line what the service or the way to it is to blame for, whole what nobody foresaw. */
export function noteFailure(log: Pick<Log, 'warn' | 'error'>, what: string, error: unknown): void {
  if (isApiError(error)) log.warn(`${what} (${error.reason}): ${error.message}`);
  else log.error(what, error);
}
