import type { AnswerAge, Stream } from '../../api/types.ts';
import type { ListState } from './snapshot.ts';

/** The whole of one list as far as it was read, or what one further page added to it. */
export interface Listed extends AnswerAge {
  readonly streams: readonly Stream[];
  readonly revealed: number;
  readonly hasNextPage: boolean;
  readonly total: number | undefined;
  readonly dropped: number;
  /** Different rows that were read since the list's beginning. */
  readonly seen: number;
}

/** The state of a list after a good answer. */
export function loaded(listed: Listed, earlierTotal?: number): Omit<ListState, 'ids'> {
  return {
    isLoaded: true,
    isLoading: false,
    isLoadingMore: false,
    revealed: listed.revealed,
    hasNextPage: listed.hasNextPage,
    total: listed.total,
    dropped: listed.dropped,
    missing: missingBetween(earlierTotal, listed),
    trouble: undefined,
    turn: listed.turn,
    loadedAt: listed.startedAt,
    isStale: false,
  };
}

/** Rows that the service counts and that no page held. */
export function missingOf({ hasNextPage, total, seen, dropped }: Omit<Listed, 'streams'>): number {
  return hasNextPage || total === undefined ? 0 : Math.max(0, total - seen - dropped);
}

/** As missingOf. Pages may be minutes apart, and what came between them is counted by the later one and held by none. */
function missingBetween(earlierTotal: number | undefined, listed: Omit<Listed, 'streams'>): number {
  const { total = earlierTotal } = listed;
  return missingOf({ ...listed, total: total && Math.min(total, earlierTotal ?? total) });
}

export function idsOf(streams: readonly Stream[]): readonly string[] {
  return streams.map((stream) => stream.id);
}
