import { isCut, MAX_PAGES } from '../../api/paging.ts';
import type { Page, Stream, StreamQuery } from '../../api/types.ts';
import { coalesce, forEachLimit } from '../../util/async.ts';
import type { Listed } from '../store/listed.ts';
import { ask, type ConnectionSession, checkOpen } from './connectionSession.ts';
import { toListed } from './listLoader.ts';
import { PollPause } from './pollPause.ts';
import { BEGINNING, readPages } from './readPages.ts';
import { lookUp } from './streamReads.ts';

/** Limit of reads by id after one poll. If more streams left the active list, Idle is marked stale instead. */
const LOOK_UPS_AT_MOST = 20;
const LOOK_UPS_AT_ONCE = 4;
const LIVE_AT_ONCE = 1000;

const ACTIVE: StreamQuery = {
  parentsOnly: true,
  filters: [{ id: 'isActive', value: true }],
  limit: LIVE_AT_ONCE,
};

export class ActiveLoader {
  readonly #asking: ConnectionSession;
  readonly #pause: PollPause;

  constructor(asking: ConnectionSession) {
    this.#asking = asking;
    this.#pause = new PollPause(asking.clock);
  }

  readonly look = coalesce(() => this.#look());

  /** Polls in the background. Skips polls during the pause after a response that didn't reach the end of the list. */
  async poll(): Promise<void> {
    if (this.#pause.isOver) await this.look.join();
  }

  #look(): Promise<void> {
    const { store } = this.#asking;
    store.listLoading('active', 'isLoading');
    return ask(
      this.#asking,
      async () => {
        const read = await readPages((cursor) => this.#fetch(cursor), BEGINNING, MAX_PAGES);
        checkOpen(this.#asking);
        this.#pause.begin(isCut(read.bookmark.paging) ? Number.POSITIVE_INFINITY : 0);
        const listed = toListed(read, Number.POSITIVE_INFINITY);
        await this.#lookUp(store.lookedAtActive(listed), listed);
        store.lookSucceeded();
      },
      (trouble) => store.lookFailed(trouble),
    );
  }

  async #lookUp(ids: readonly string[], listed: Listed): Promise<void> {
    const rest = ids.slice(LOOK_UPS_AT_MOST);
    if (rest.length > 0) this.#asking.store.leftUnseen(rest, listed);
    await forEachLimit(ids.slice(0, LOOK_UPS_AT_MOST), LOOK_UPS_AT_ONCE, (id) => lookUp(this.#asking, id));
  }

  #fetch(cursor: string | undefined): Promise<Page<Stream>> {
    const { api, signal } = this.#asking;
    return api.listStreams(cursor === undefined ? ACTIVE : { ...ACTIVE, cursor }, { signal, conditional: true });
  }
}

/**
 * Reads streams by id that Idle shows although no page names them, and removes the ones that are gone. Beyond
 * LOOK_UPS_AT_MOST, the rest are removed unread.
 */
export async function checkPinned(asking: ConnectionSession): Promise<void> {
  const { lists, left, pinned } = asking.store.snapshot;
  const named = new Set(lists.idle.ids);
  const unnamed = [...new Set([...left, ...pinned])].filter((id) => !named.has(id));
  if (lists.idle.trouble !== undefined) return;
  asking.store.unpin(unnamed.slice(LOOK_UPS_AT_MOST));
  const run = () => forEachLimit(unnamed.slice(0, LOOK_UPS_AT_MOST), LOOK_UPS_AT_ONCE, (id) => lookUp(asking, id));
  await ask(asking, run, (trouble) => asking.store.listFailed('idle', trouble));
}
