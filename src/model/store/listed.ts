import type { AnswerAge, Stream } from '../../api/types.ts';
import type { ListState } from './snapshot.ts';

/** A complete list as far as it was read, or one further page. */
export interface Listed extends AnswerAge {
  readonly streams: readonly Stream[];
  readonly revealed: number;
  readonly hasNextPage: boolean;
  readonly total: number | undefined;
  readonly dropped: number;
  readonly isFiltered: boolean;
  /** Distinct rows read since the beginning of the list. */
  readonly seen: number;
}

export function loaded(listed: Listed, earlierTotal?: number): Omit<ListState, 'ids'> {
  return {
    isLoaded: true,
    isLoading: false,
    isLoadingMore: false,
    revealed: listed.revealed,
    hasNextPage: listed.hasNextPage,
    total: listed.total,
    dropped: listed.dropped,
    isFiltered: listed.isFiltered,
    missing: missingBetween(earlierTotal, listed),
    trouble: undefined,
    turn: listed.turn,
    loadedAt: listed.startedAt,
    isStale: false,
  };
}

/** Returns how many rows the service counts that no page contained. */
export function missingOf({ hasNextPage, total, seen, dropped }: Omit<Listed, 'streams'>): number {
  return hasNextPage || total === undefined ? 0 : Math.max(0, total - seen - dropped);
}

/**
 * Like missingOf. Pages may be minutes apart, and rows created between them are counted by the later page but contained
 * in none.
 */
function missingBetween(earlierTotal: number | undefined, listed: Omit<Listed, 'streams'>): number {
  const { total = earlierTotal } = listed;
  return missingOf({ ...listed, total: total && Math.min(total, earlierTotal ?? total) });
}

export function idsOf(streams: readonly Stream[]): readonly string[] {
  return streams.map((stream) => stream.id);
}
