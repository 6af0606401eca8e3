import type { HeldSnapshot } from './heldSnapshot.ts';
import type { Recordings, Trouble } from './snapshot.ts';

/** What an answer of the account's sessions says. */
export type RecordingsListed = Pick<
  Recordings,
  'items' | 'revealed' | 'hasNextPage' | 'lookedBackTo' | 'turn' | 'loadedAt' | 'serverDate'
>;

/** The part of the store that writes what the Recordings view shows. */
export class RecordingsIntents {
  readonly #held: HeldSnapshot;

  constructor(held: HeldSnapshot) {
    this.#held = held;
  }

  loading(what: 'isLoading' | 'isLoadingMore'): void {
    this.#set({ [what]: true });
  }

  /** All that is loaded, after a good answer. */
  listed(listed: RecordingsListed): void {
    this.#set({ ...listed, isLoaded: true, isLoading: false, isLoadingMore: false, trouble: undefined });
  }

  /** The last try failed; what was known stays. */
  failed(trouble: Trouble): void {
    this.#set({ isLoading: false, isLoadingMore: false, trouble });
  }

  /** Shows more of what is here already. */
  revealMore(rows: number): void {
    this.#set({ revealed: this.#recordings.revealed + rows });
  }

  /** Names of streams, by their ids; undefined for one that is gone. */
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

  /** The view came on screen, or left it. */
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
