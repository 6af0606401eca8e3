/** At least four groups of four letters or digits, joined by hyphens (README.md, Streams). IDs have other groups. */
export const STREAM_KEY_SHAPE = '[a-z0-9]{4}(?:-[a-z0-9]{4}){3,}';

/** Whether the value is the ID of a stream, session, or playback. Others never get into a path. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value);
}
