import type { Clock, Log } from '../../services.ts';
import { makeQueue } from '../../util/async.ts';
import { type Disposable, DisposableSlot, DisposableStore, onDispose } from '../../util/disposable.ts';
import { Emitter, either } from '../../util/events.ts';
import type { ConnectionObjects } from '../context.ts';
import {
  type ConnectionInfo,
  connectionIdOf,
  hasRecovered,
  type Snapshot,
  type SnapshotChange,
} from '../store/snapshot.ts';
import { StreamStore } from '../store/store.ts';
import { takeOver } from '../store/takeOver.ts';
import { Connection, DEMO_ID } from './connection.ts';
import type { ConnectionModel, ConnectionStore } from './connectionModel.ts';
import type { Connections, DemoAccess, ReadConnection, ServiceAccess, StoredConnection } from './connections.ts';

/** The state that all connections share. Commands change filter and sort order, because lists must be reloaded then. */
const SHARED = ['settings', 'showsAllConnections', 'connectionCount', 'connectionNames', 'testBroadcasts'] as const;

export type RemovedConnection = Pick<ConnectionInfo, 'id' | 'name' | 'baseUrl'>;

interface OtherConnectionsOptions {
  /** The window's own connection. Its view choices and settings also apply to the others. */
  readonly active: ConnectionObjects;
  readonly connections: Connections;
  readonly demo: { readonly name: string; readonly running: DemoAccess | undefined };
  readonly clock: Clock;
  readonly log: Log;
  readonly serve: (made: ConnectionStore) => ConnectionModel;
}

/**
 * The stored connections other than the window's active one, and the demo while it runs. Each has its own objects, so
 * that its data and failures never reach another. They are open as long as this object exists.
 */
export class OtherConnections implements Disposable {
  readonly #options: OtherConnectionsOptions;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new Emitter<void>());
  readonly #updated = this.#owned.add(new Emitter<void>());
  readonly #models = new Map<string, ConnectionModel>();
  readonly #inOrder = makeQueue();
  readonly #demoFollowed = this.#owned.add(new DisposableSlot());
  #stored: ReadonlyMap<string, RemovedConnection> = new Map();
  #removed: readonly RemovedConnection[] = [];
  /** The parameters that each connection was last opened with, by its ID. */
  readonly #opened = new Map<string, ServiceAccess>();
  /** The last snapshot of the window's previous connection. */
  #left: Snapshot | undefined;

  /** Fires when a connection was added to or removed from `all` or `removed`. */
  readonly onDidChange = this.#changed.event;
  /** Fires like `onDidChange`, and when the snapshot of one of them changed. */
  readonly onDidUpdate = either(this.#changed.event, this.#updated.event);

  constructor(options: OtherConnectionsOptions) {
    this.#options = options;
    const { connection, store } = options.active;
    connection.recall = (opened) => this.#recall(opened, store);
    this.#owned.add(
      onDispose(() => {
        connection.recall = undefined;
        this.#closeAllBut([]);
      }),
    );
    this.#owned.add(store.onDidChange((change) => this.#follow(change)));
    this.#owned.add(options.connections.onDidChange((id) => this.#update(id)));
    this.#update();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  get all(): readonly ConnectionModel[] {
    return [...this.#models.values()];
  }

  get(id: string): ConnectionModel | undefined {
    return this.#models.get(id);
  }

  /** Connections that another window removed while they were shown, until they are dismissed or added again. */
  get removed(): readonly RemovedConnection[] {
    return this.#removed;
  }

  /** @param id default: dismisses all */
  dismissRemoved(id?: string): void {
    const rest = id === undefined ? [] : this.#removed.filter((each) => each.id !== id);
    if (rest.length === this.#removed.length) return;
    this.#removed = rest;
    this.#changed.fire();
  }

  #follow({ previous, current }: SnapshotChange): void {
    if (previous.generation !== current.generation) this.#left = previous;
    if (SHARED.some((key) => previous[key] !== current[key])) {
      for (const { store } of this.#models.values()) adopt(store, current);
    }
    if (hasRecovered(previous, current)) this.#retryFailed();
    const activeId = connectionIdOf(current);
    if (connectionIdOf(previous) === activeId && previous.connection.kind !== 'starting') return;
    // Immediately, so that no connection is open twice.
    if (activeId !== undefined) this.#close(activeId);
    // The snapshot that was taken over may be old by now.
    if (current.lists.active.isLoaded) void this.#options.active.loader.poll();
    this.#update();
  }

  /** If all failed because this computer was offline, each would otherwise wait for its own next attempt. */
  #retryFailed(): void {
    for (const { store, loader } of this.#models.values()) {
      if (store.snapshot.trouble?.error.isTransient === true) void loader.poll();
    }
  }

  /** @param changedId the ID of the stored connection that was changed */
  #update(changedId?: string): void {
    const { connections, log } = this.#options;
    this.#inOrder(async () => this.#open(await connections.readAll({ isPatient: true }), changedId)).catch(
      (error: unknown) => log.error('Following the connections failed', error),
    );
  }

  #open(stored: readonly ReadConnection[], changedId: string | undefined): void {
    const { snapshot } = this.#options.active.store;
    if (this.#owned.isDisposed || snapshot.connection.kind === 'starting') return;
    const activeId = connectionIdOf(snapshot);
    const all = [...stored, ...this.#runningDemo()];
    const others = all.filter(({ id }) => id !== activeId);
    const before = [...this.#models.keys()];
    const removedBefore = this.#removed;
    this.#noteRemoved(stored);
    this.#closeAllBut(others.map(({ id }) => id));
    const active = all.find(({ id }) => id === activeId)?.stored;
    if (active !== undefined && !this.#opened.has(active.id)) this.#opened.set(active.id, active);
    for (const other of others) if (!this.#models.has(other.id) || other.id === changedId) this.#openOne(other);
    const isSame = before.length === this.#models.size && before.every((id) => this.#models.has(id));
    if (!isSame || this.#removed !== removedBefore) this.#changed.fire();
  }

  #runningDemo(): readonly ReadConnection[] {
    const { name, running } = this.#options.demo;
    this.#demoFollowed.set(running?.onDidStop(() => this.#close(DEMO_ID)));
    if (running === undefined) return [];
    const { baseUrl, apiKey } = running;
    const stored = { id: DEMO_ID, name, baseUrl, apiKey, insecureAccepted: false };
    return [{ ...stored, hasKey: true, stored }];
  }

  #noteRemoved(stored: readonly ReadConnection[]): void {
    const { connections } = this.#options;
    const now = new Map(stored.map(({ id, name, baseUrl }) => [id, { id, name, baseUrl }]));
    const gone = [...this.#stored.values()].filter(({ id }) => !now.has(id) && !connections.isRemovedHere(id));
    const added = stored.filter(({ id }) => !this.#stored.has(id));
    this.#stored = now;
    const kept = this.#removed.filter(
      ({ id, baseUrl }) => !now.has(id) && !added.some((each) => each.baseUrl === baseUrl),
    );
    if (gone.length === 0 && kept.length === this.#removed.length) return;
    this.#removed = [...kept, ...gone];
  }

  #openOne({ id, name, baseUrl, stored }: ReadConnection): void {
    const known = this.#models.get(id);
    const model = known ?? this.#make();
    const { connection, store } = model;
    this.#models.set(id, model);
    const info = { id, name, baseUrl, isDemo: false };
    if (stored !== undefined) connection.open(stored, id === DEMO_ID);
    else if (known === undefined) connection.openWithoutKey(info);
    // A secret storage that fails for a moment must not close a connection that works.
    else store.renamed(info);
  }

  #make(): ConnectionModel {
    const { clock, log, serve, active } = this.#options;
    const { filter, sort, locale, settings } = active.store.snapshot;
    const onListenerError = (error: unknown) => log.error('Following a change failed', error);
    const store = new StreamStore({ clock, initial: { filter, sort, locale, settings }, onListenerError });
    adopt(store, active.store.snapshot);
    store.onDidChange(() => this.#updated.fire());
    const connection = new Connection(store);
    connection.recall = (opened) => this.#recall(opened, store);
    return serve({ store, connection });
  }

  /** Returns the known state of a connection that a store opens, unless its key or URL differs or it's reopened. */
  #recall(opened: StoredConnection, store: StreamStore): Partial<Snapshot> {
    const { id, baseUrl, apiKey } = opened;
    const { createdIds } = this.#options.active.store.snapshot;
    const before = this.#opened.get(id);
    this.#opened.set(id, opened);
    if (connectionIdOf(store.snapshot) === id || before?.baseUrl !== baseUrl || before.apiKey !== apiKey)
      return { createdIds };
    const beside = this.#models.get(id)?.store;
    const known = beside === undefined || beside === store ? this.#left : beside.snapshot;
    return known && connectionIdOf(known) === id ? takeOver(known, store.snapshot) : { createdIds };
  }

  #close(id: string): void {
    if (!this.#models.has(id)) return;
    this.#closeAllBut([...this.#models.keys()].filter((each) => each !== id));
    this.#changed.fire();
  }

  #closeAllBut(ids: readonly string[]): void {
    for (const [id, model] of this.#models) {
      if (ids.includes(id)) continue;
      this.#models.delete(id);
      // For code that still holds it, such as a command that waits for a response.
      model.connection.close();
      model.dispose();
      model.store.dispose();
    }
  }
}

function adopt(store: StreamStore, active: Snapshot): void {
  store.setSettings(active.settings);
  store.setShowsAllConnections(active.showsAllConnections);
  store.setConnectionCount(active.connectionCount);
  store.setConnectionNames([...active.connectionNames].map(([id, name]) => ({ id, name })));
  store.setTestBroadcasts(active.testBroadcasts);
}
