import type { Stream } from '../../api/types.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import type { Snapshot, SnapshotChange, StreamFact } from '../store/snapshot.ts';
import { RecordingEvents, type StreamEventsOptions } from './recordingEvents.ts';

// A recording takes a minute or more.
const READ_RECORDINGS_EVERY_MS = 30_000;

interface Active {
  /** When data first arrived in this broadcast, as far as it was seen, by the service's clock. */
  readonly first: number;
  /** The first poll left it out: it stopped before anybody listened, unless it is read as active. */
  readonly hasStopped: boolean;
}

/**
 * Finds the events that this window sees itself, in the changes of the snapshot: stream.started, stream.idle,
 * recording.waiting, and recording.ready. What the first poll of a connection finds is no event, nor is what first
 * appears when more rows are loaded.
 */
export class StreamEvents implements Disposable {
  readonly #options: StreamEventsOptions;
  readonly #owned = new DisposableStore();
  readonly #recordings: RecordingEvents;
  /** By ID; undefined until the first poll has succeeded. */
  #active: Map<string, Active> | undefined;

  constructor(options: StreamEventsOptions) {
    this.#options = options;
    this.#recordings = this.#owned.add(new RecordingEvents({ ...options, readEveryMs: READ_RECORDINGS_EVERY_MS }));
    this.#owned.add(options.store.onDidChange((change) => this.#onStoreChange(change)));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Polls at once, so that what happens after this has resolved is seen. */
  async begin(): Promise<void> {
    const { loader, store } = this.#options;
    await Promise.all([loader.refreshActive(), this.#recordings.begin(store.snapshot)]);
  }

  #onStoreChange({ previous, current }: SnapshotChange): void {
    if (previous.generation !== current.generation) {
      this.#active = undefined;
      this.#recordings.restart();
    }
    if (this.#active === undefined) this.#findBaseline(previous, current);
    else if (previous.streams !== current.streams) this.#follow(this.#active, previous, current);
    if (previous.generation === current.generation) this.#recordings.onStoreChange(previous, current);
  }

  #findBaseline(previous: Snapshot, current: Snapshot): void {
    const { ids, requestSeq } = current.lists.active;
    if (requestSeq <= 0 || requestSeq === previous.lists.active.requestSeq) return;
    // Streams that the answer doesn't name are read later. If they have stopped, they did so before.
    const listed = new Set(ids);
    const active = [...current.streams.values()].filter(({ stream }) => stream.isActive);
    this.#active = new Map(
      active.map((fact) => [fact.stream.id, { first: seenAt(fact), hasStopped: !listed.has(fact.stream.id) }]),
    );
  }

  #follow(active: Map<string, Active>, previous: Snapshot, current: Snapshot): void {
    this.#followActive(active, previous, current);
    for (const fact of current.streams.values()) {
      const { id, isActive } = fact.stream;
      if (!isActive || active.has(id)) continue;
      active.set(id, { first: seenAt(fact), hasStopped: false });
      if (canHaveStarted(id, previous, current)) this.#send('stream.started', fact.stream);
    }
  }

  #followActive(active: Map<string, Active>, previous: Snapshot, current: Snapshot): void {
    for (const [id, state] of active) {
      const fact = current.streams.get(id);
      if (fact?.stream.isActive === true) {
        if (state.hasStopped && fact !== previous.streams.get(id)) active.set(id, { ...state, hasStopped: false });
        continue;
      }
      active.delete(id);
      // Of a stream that is gone, the service sends nothing.
      if (fact !== undefined && !state.hasStopped) this.#onStopped(fact.stream, state);
    }
  }

  #onStopped(stream: Stream, { first }: Active): void {
    this.#send('stream.idle', stream);
    if (stream.record) this.#recordings.waitFor(stream, { first, last: stream.lastSeen });
  }

  #send(event: string, stream: Stream): void {
    this.#options.onEvent({ event, subject: { stream } });
  }
}

function seenAt({ stream, serverDate }: StreamFact): number {
  return stream.lastSeen ?? serverDate;
}

// Where only a part of the active streams is listed, one that wasn't known may have been active before.
function canHaveStarted(id: string, previous: Snapshot, current: Snapshot): boolean {
  return previous.streams.has(id) || !current.lists.active.hasNextPage;
}
