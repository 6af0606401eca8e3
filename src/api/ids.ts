import { ApiError } from './errors.ts';

/** Is this the id of a stream, session or playback that may stand in a path? Anything else is refused before any request. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value);
}

/** The id itself; throws ApiError `rejected` for what is none. */
export function checkId(id: string): string {
  if (isId(id)) return id;
  throw new ApiError('rejected', 'Not an id');
}
