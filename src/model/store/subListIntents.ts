import type { Session, Stream } from '../../api/types.ts';
import { withoutKey } from '../../util/collections.ts';
import { EMPTY_SUB_LIST } from './emptySnapshot.ts';
import type { HeldSnapshot } from './heldSnapshot.ts';
import type { SubList, Trouble } from './snapshot.ts';

export type SubListName = 'sessions' | 'children';

type SubLists = { readonly sessions: Session; readonly children: Stream };

export class SubListIntents {
  readonly #held: HeldSnapshot;

  constructor(held: HeldSnapshot) {
    this.#held = held;
  }

  loading(name: SubListName, streamId: string): void {
    this.#set(name, streamId, { isLoading: true });
  }

  listed<N extends SubListName>(
    name: N,
    streamId: string,
    state: Omit<SubList<SubLists[N]>, 'isLoading' | 'trouble' | 'isLoaded'>,
  ): void {
    this.#set(name, streamId, { ...state, isLoaded: true, isLoading: false, trouble: undefined });
  }

  /** Drops the list if its stream is gone. */
  failed(name: SubListName, streamId: string, trouble: Trouble): void {
    const { streams, [name]: lists } = this.#held.current;
    if (trouble.error.reason === 'notFound' && !streams.has(streamId)) {
      this.#held.apply({ [name]: withoutKey<SubList<Session | Stream>>(lists, streamId) });
      return;
    }
    this.#set(name, streamId, { isLoading: false, trouble });
  }

  /** Drops the lists under all other streams: they are loaded again when expanded. */
  keep(open: ReadonlySet<string>): void {
    const { sessions, children } = this.#held.current;
    this.#held.apply({ sessions: onlyKeys(sessions, open), children: onlyKeys(children, open) });
  }

  orphansChanged(state: Partial<SubList<Stream>>): void {
    this.#held.apply({ orphans: { ...this.#held.current.orphans, ...state } });
  }

  #set<N extends SubListName>(name: N, streamId: string, change: Partial<SubList<SubLists[N]>>): void {
    const lists: ReadonlyMap<string, SubList<Session | Stream>> = this.#held.current[name];
    const old = lists.get(streamId) ?? EMPTY_SUB_LIST;
    this.#held.apply({ [name]: new Map(lists).set(streamId, { ...old, ...change }) });
  }
}

/** Returns the same map if nothing is dropped, so that it counts as unchanged. */
function onlyKeys<T>(map: ReadonlyMap<string, T>, keys: ReadonlySet<string>): ReadonlyMap<string, T> {
  const kept = [...map].filter(([key]) => keys.has(key));
  return kept.length === map.size ? map : new Map(kept);
}
