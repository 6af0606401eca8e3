import type { Session } from '../../api/types.ts';
import { SEEN_WITHIN_MS } from './sessions.ts';

/** When a stream was seen live, by the service's clock: Unix times in milliseconds. */
export interface SeenBroadcast {
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** When the previous broadcast was last seen, if known. */
  readonly before?: number | undefined;
}

/**
 * Whether a session belongs to a broadcast, because it began after the broadcast was first seen or by its end. False if
 * neither is known: showing no session is better than showing one of another broadcast.
 */
export function isOfBroadcast(session: Session, { first, last, before }: SeenBroadcast): boolean {
  const { createdAt, sourceSegmentsDuration } = session;
  if (first !== undefined && createdAt !== undefined && createdAt >= first) return true;
  const length = sourceSegmentsDuration === undefined ? undefined : sourceSegmentsDuration * 1000;
  const end = session.lastSeen ?? (createdAt === undefined || length === undefined ? undefined : createdAt + length);
  if (end === undefined || last === undefined) return false;
  return Math.abs(last - end) <= SEEN_WITHIN_MS && (before === undefined || end - before > last - end);
}
