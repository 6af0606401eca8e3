import { ApiError } from './errors.ts';

/** Whether the value is an id of a stream, session or playback. Others never get into a path. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value);
}

/** Returns the id. Throws ApiError `rejected` if it isn't valid. */
export function checkId(id: string): string {
  if (isId(id)) return id;
  throw new ApiError('rejected', 'Not an id');
}
