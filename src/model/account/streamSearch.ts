import { isApiError } from '../../api/errors.ts';
import { isId } from '../../api/ids.ts';
import type { StreamApi } from '../../api/streamApi.ts';
import type { Stream, StreamQuery } from '../../api/types.ts';
import { isChildStream } from '../childStreams/childStreams.ts';

export interface FoundStreams {
  readonly streams: readonly Stream[];
  /** Whether the account has no more streams than those found so far. */
  readonly isComplete: boolean;
}

const NEWEST_FIRST = 'lastSeen-true,id-true';
const RECENT = 100;
const FOUND_AT_MOST = 100;
const PAGE_SIZE = 1000;
const MAX_PAGES = 20;
/** Shorter text isn't tried as an id: ids and playback ids are longer than most words that names begin with. */
const SHORTEST_ID = 8;

export async function listRecentStreams(api: StreamApi, signal: AbortSignal): Promise<FoundStreams> {
  const { items, next } = await api.listStreams({ parentsOnly: true, limit: RECENT, order: NEWEST_FIRST }, { signal });
  return { streams: items, isComplete: next === undefined };
}

export async function* listEveryStream(api: StreamApi, signal: AbortSignal): AsyncGenerator<FoundStreams> {
  const query: StreamQuery = { parentsOnly: true, limit: PAGE_SIZE };
  for await (const { items, next } of api.eachStreamPage(query, { signal, maxPages: MAX_PAGES })) {
    yield { streams: items, isComplete: next === undefined };
  }
}

export function searchStreams(
  api: StreamApi,
  text: string,
  signal: AbortSignal,
): readonly Promise<readonly Stream[]>[] {
  const matching = async (id: 'name' | 'playbackId') => {
    const filters = [{ id, value: text }];
    const query: StreamQuery = { parentsOnly: true, filters, limit: FOUND_AT_MOST, order: NEWEST_FIRST };
    return (await api.listStreams(query, { signal })).items;
  };
  if (!isId(text) || text.length < SHORTEST_ID) return [matching('name')];
  const { listExtras, listFilters } = api.abilities;
  const byPlaybackId = listExtras && listFilters ? [matching('playbackId')] : [];
  return [matching('name'), withId(api, text, signal), ...byPlaybackId];
}

/** Returns no child streams: the tree shows their parents. */
async function withId(api: StreamApi, id: string, signal: AbortSignal): Promise<readonly Stream[]> {
  try {
    const { value } = await api.getStream(id, { signal });
    return isChildStream(value) ? [] : [value];
  } catch (error) {
    if (isApiError(error) && (error.reason === 'notFound' || error.reason === 'rejected')) return [];
    throw error;
  }
}
