import { t } from '@vscode/l10n';
import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { isOutdated, liveStreams } from '../model/store/streams.ts';
import { formatCount } from '../util/format.ts';
import type { DrawingContext } from './row.ts';

// The number of live streams is hidden after this time or two poll intervals, whichever is longer.
const SHOWN_FOR_MS = 2 * 60_000;

export interface LiveCount {
  readonly streams: readonly StreamFact[];
  /** When the number gets too old to show; Unix time in milliseconds, local clock. */
  readonly hidesAt: number;
}

/**
 * Returns the live streams that the badge, the Status Bar, and groups count; undefined if they're unknown or too old.
 * One poll may fail before the number is hidden.
 */
export function countedStreams(
  snapshot: Snapshot,
  { now, refreshInterval = 0 }: DrawingContext,
): LiveCount | undefined {
  const { connection, lists } = snapshot;
  const { isLoaded, loadedAt } = lists.active;
  if (connection.kind !== 'open' && connection.kind !== 'refused') return undefined;
  if (!isLoaded || loadedAt === undefined) return undefined;
  const hidesAt = loadedAt + Math.max(SHOWN_FOR_MS, 2 * refreshInterval * 1000);
  return now >= hidesAt ? undefined : { streams: liveStreams(snapshot), hidesAt };
}

/** Adds up the live streams of several connections; `hidesAt` is undefined if none of them is counted. */
export function addCounts(counts: readonly LiveCount[]): { readonly count: number; readonly hidesAt?: number } {
  const count = counts.reduce((sum, { streams }) => sum + streams.length, 0);
  return counts.length === 0 ? { count } : { count, hidesAt: Math.min(...counts.map(({ hidesAt }) => hidesAt)) };
}

/**
 * Whether streams were live when the service was last reached, or none could be read because the key was rejected.
 * @param snapshot whose number isn't shown
 */
export function isCountLost(snapshot: Snapshot): boolean {
  const { connection, lists } = snapshot;
  return lists.active.isLoaded
    ? isOutdated(snapshot) && liveStreams(snapshot).length > 0
    : connection.kind === 'refused';
}

export function outOfDateWords(): string {
  return t('out of date');
}

/** "2 live" */
export function liveCountText(count: number, locale: string): string {
  return t('{0} live', formatCount(count, locale) ?? '');
}

/** @param connection The name of the only counted connection, if it has to be mentioned. */
export function liveStreamsText(count: number, locale: string, connection?: string): string {
  const words = count === 1 ? t('1 live stream') : t('{0} live streams', formatCount(count, locale) ?? '');
  return connection === undefined ? words : t('{0} in {1}', words, connection);
}
