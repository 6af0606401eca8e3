import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { liveStreams } from '../model/store/streams.ts';

// The number of live streams is hidden after this time or two poll intervals, whichever is longer.
const SHOWN_FOR_MS = 2 * 60_000;

export interface LiveCount {
  readonly streams: readonly StreamFact[];
  /** When the number gets too old to show; Unix time in milliseconds, local clock. */
  readonly hidesAt: number;
}

/**
 * Returns the live streams that the badge and the status bar count; undefined if they are unknown, or known for too long.
 * @param refreshInterval Seconds between two polls, 0 for none. One poll may fail before the number is hidden.
 */
export function countedStreams(snapshot: Snapshot, now: number, refreshInterval: number): LiveCount | undefined {
  const { connection, lists } = snapshot;
  const { isLoaded, loadedAt } = lists.active;
  if (connection.kind !== 'open' && connection.kind !== 'refused') return undefined;
  if (!isLoaded || loadedAt === undefined) return undefined;
  const hidesAt = loadedAt + Math.max(SHOWN_FOR_MS, 2 * refreshInterval * 1000);
  return now >= hidesAt ? undefined : { streams: liveStreams(snapshot), hidesAt };
}
