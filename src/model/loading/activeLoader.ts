import { isCut } from '../../api/paging.ts';
import { coalesce, forEachLimit } from '../../util/async.ts';
import type { Listed } from '../store/facts.ts';
import { type LoadContext, PollPause, runInBackground, throwIfClosed, tryReadStream } from './loadContext.ts';
import { toListed } from './pagedLoader.ts';

/** Limit of reads by id after one poll. If more streams left the active list, Idle is marked stale instead. */
const READS_AT_MOST = 20;
const READS_AT_ONCE = 4;

export class ActiveLoader {
  readonly #context: LoadContext;
  readonly #pause: PollPause;

  constructor(context: LoadContext) {
    this.#context = context;
    this.#pause = new PollPause(context.clock);
  }

  readonly reload = coalesce(() => this.#reload());

  /** Polls in the background. Skips polls during the pause after a response that didn't reach the end of the list. */
  async poll(): Promise<void> {
    if (this.#pause.isOver) await this.reload.join();
  }

  #reload(): Promise<void> {
    const { store } = this.#context;
    store.listLoading('active', 'isLoading');
    return runInBackground(
      this.#context,
      async () => {
        const read = await this.#context.account.listLiveStreams();
        throwIfClosed(this.#context);
        this.#pause.begin(isCut(read.bookmark.paging) ? Number.POSITIVE_INFINITY : 0);
        const listed = toListed(read, Number.POSITIVE_INFINITY);
        await this.#readMissing(store.activeListed(listed), listed);
        store.pollSucceeded();
      },
      (trouble) => store.pollFailed(trouble),
    );
  }

  async #readMissing(ids: readonly string[], listed: Listed): Promise<void> {
    const rest = ids.slice(READS_AT_MOST);
    if (rest.length > 0) this.#context.store.leftActiveUnread(rest, listed);
    await forEachLimit(ids.slice(0, READS_AT_MOST), READS_AT_ONCE, (id) => tryReadStream(this.#context, id));
  }
}

/**
 * Reads streams by id that Idle shows although no page names them, and removes the ones that are gone. Beyond
 * READS_AT_MOST, the rest are removed unread.
 */
export async function checkPinned(context: LoadContext): Promise<void> {
  const { lists, leftActive, pinnedIds } = context.store.snapshot;
  const named = new Set(lists.idle.ids);
  const unnamed = [...new Set([...leftActive, ...pinnedIds])].filter((id) => !named.has(id));
  if (lists.idle.trouble !== undefined) return;
  context.store.unpin(unnamed.slice(READS_AT_MOST));
  const run = () => forEachLimit(unnamed.slice(0, READS_AT_MOST), READS_AT_ONCE, (id) => tryReadStream(context, id));
  await runInBackground(context, run, (trouble) => context.store.listFailed('idle', trouble));
}
