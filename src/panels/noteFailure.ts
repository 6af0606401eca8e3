import { isApiError } from '../api/errors.ts';
import type { Log } from '../services.ts';

/** Logs a failure: one line for errors of the service or the network, the whole error if it is unexpected. */
export function noteFailure(log: Pick<Log, 'warn' | 'error'>, what: string, error: unknown): void {
  if (isApiError(error)) log.warn(`${what} (${error.reason}): ${error.message}`);
  else log.error(what, error);
}
