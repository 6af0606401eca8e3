import type { Session } from '../../api/types.ts';
import type { ListName, Snapshot, SubList } from '../store/snapshot.ts';
import { hasMore } from '../store/streams.ts';

export interface ShortLists {
  readonly groups: readonly ListName[];
  readonly streams: readonly string[];
  readonly hasShortRecordings: boolean;
}

/** Returns the loaded lists that show fewer rows than fit on a page, although there are more. */
export function shortLists(snapshot: Snapshot, pageSize: number): ShortLists {
  const { lists, sessions, recordings } = snapshot;
  const isShort = ({ isLoaded, revealed, hasNextPage, items }: SubList<Session>) =>
    isLoaded && revealed < pageSize && (hasNextPage || items.length > revealed);
  return {
    groups: (['idle', 'recording'] as const).filter(
      (list) => lists[list].isLoaded && lists[list].revealed < pageSize && hasMore(snapshot, list),
    ),
    streams: [...sessions].filter(([, list]) => isShort(list)).map(([id]) => id),
    hasShortRecordings: isShort(recordings),
  };
}
