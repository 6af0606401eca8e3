import type { Clip } from '../../api/clips.ts';
import { isApiError } from '../../api/errors.ts';
import { MAX_PAGES } from '../../api/paging.ts';
import type { Page, Paging } from '../../api/types.ts';
import { wasRecorded } from '../store/recordings.ts';
import type { AccountParts } from './accountParts.ts';
import { readPages } from './pages.ts';

const LIMIT = 1000;
/** Each recording of a deleted stream costs a request. */
const MOST_RECORDINGS = 20;

/**
 * Returns all clips of a stream's sessions. If the stream was deleted, its clips and recordings remain, but the service
 * lists clips only by session: returns those of its newest listed recordings. Throws `notFound` if there are none, or
 * the service has no clips.
 */
export async function listClips(parts: AccountParts, streamId: string): Promise<readonly Clip[]> {
  const { api, writer, signal } = parts;
  try {
    return await wholeList((paging) => api.listClips(streamId, paging, { signal }));
  } catch (error) {
    const recordings = writer.snapshot.recordings.items.filter(
      (session) => session.parentId === streamId && wasRecorded(session),
    );
    if (!isApiError(error, 'notFound') || !api.abilities.clips || recordings.length === 0) throw error;
    const clips: Clip[] = [];
    for (const { id } of recordings.slice(0, MOST_RECORDINGS)) {
      clips.push(...(await wholeList((paging) => api.listSessionClips(id, paging, { signal }))));
    }
    return clips;
  }
}

async function wholeList(list: (paging: Paging) => Promise<Page<Clip>>): Promise<readonly Clip[]> {
  const { items } = await readPages((cursor) => list({ limit: LIMIT, cursor }), { pages: MAX_PAGES });
  return items;
}
