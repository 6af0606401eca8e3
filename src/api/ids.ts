/** Whether the value is an id of a stream, session or playback. Others never get into a path. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value);
}
