import type { HeldSnapshot } from './heldSnapshot.ts';
import type { Recordings, Trouble } from './snapshot.ts';

export type RecordingsListed = Pick<
  Recordings,
  'items' | 'revealed' | 'hasNextPage' | 'lookedBackTo' | 'turn' | 'loadedAt' | 'serverDate'
>;

export class RecordingsIntents {
  readonly #held: HeldSnapshot;

  constructor(held: HeldSnapshot) {
    this.#held = held;
  }

  loading(what: 'isLoading' | 'isLoadingMore'): void {
    this.#set({ [what]: true });
  }

  listed(listed: RecordingsListed): void {
    this.#set({ ...listed, isLoaded: true, isLoading: false, isLoadingMore: false, trouble: undefined });
  }

  failed(trouble: Trouble): void {
    this.#set({ isLoading: false, isLoadingMore: false, trouble });
  }

  revealMore(rows: number): void {
    this.#set({ revealed: this.#recordings.revealed + rows });
  }

  /** Sets names of streams by id; undefined if the stream is gone. */
  parentsKnown(parents: ReadonlyMap<string, string | undefined>): void {
    const { streams } = this.#held.current;
    const { parents: before } = this.#recordings;
    const lastNames = new Map(this.#recordings.lastNames);
    for (const [id, name] of parents) {
      const lastName = name === undefined ? (streams.get(id)?.stream.name ?? before.get(id)) : undefined;
      if (lastName !== undefined) lastNames.set(id, lastName);
    }
    this.#set({ parents: new Map([...before, ...parents]), lastNames });
  }

  shown(isShown: boolean): void {
    if (isShown !== this.#recordings.isShown) this.#set({ isShown });
  }

  get #recordings(): Recordings {
    return this.#held.current.recordings;
  }

  #set(change: Partial<Recordings>): void {
    this.#held.apply({ recordings: { ...this.#recordings, ...change } });
  }
}
