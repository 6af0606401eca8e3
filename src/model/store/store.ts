import type { Named } from '../../api/types.ts';
import type { Clock } from '../../services.ts';
import { withoutKey } from '../../util/collections.ts';
import type { Disposable } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { NO_CHILD_STREAMS } from '../childStreams/childStreams.ts';
import type { SettingValues } from '../settingValues.ts';
import {
  type ConnectionInfo,
  type ConnectionState,
  connectionIdOf,
  EMPTY_LIST,
  EMPTY_RECORDINGS,
  EMPTY_SNAPSHOT,
  type ListState,
  type Snapshot,
  type SnapshotChange,
  type SortKey,
  type TestBroadcast,
  withNextTry,
} from './snapshot.ts';
import { nameFilter } from './streams.ts';
import { ConnectionWriter } from './writer.ts';

type ViewChoices = Pick<
  Snapshot,
  'filter' | 'sort' | 'locale' | 'recordingsRecordedOnly' | 'showsAllConnections' | 'settings'
>;

/**
 * Holds the snapshot and is the only one to replace it, through named intents. Data that a connection loads or changes
 * is written through its `ConnectionWriter`. Sends no requests; the loader does.
 */
export class StreamStore implements Disposable {
  readonly #clock: Clock;
  readonly #changed: Emitter<SnapshotChange>;
  // Changes by listeners are queued, so that all listeners receive all changes in order.
  readonly #pending: SnapshotChange[] = [];
  #snapshot: Snapshot;
  #writer: ConnectionWriter | undefined;
  /** IDs of streams created here, by ID of their earlier connection. Shown even if no loaded page contains them. */
  readonly #created = new Map<string, ReadonlySet<string>>();

  constructor(options: {
    readonly clock: Clock;
    readonly initial?: Partial<ViewChoices>;
    readonly onListenerError?: (error: unknown) => void;
  }) {
    this.#clock = options.clock;
    this.#changed = new Emitter(options.onListenerError);
    this.#snapshot = { ...EMPTY_SNAPSHOT, ...options.initial };
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  get onDidChange(): Event<SnapshotChange> {
    return this.#changed.event;
  }

  dispose(): void {
    this.#writer?.dispose();
    this.#changed.dispose();
  }

  /** Returns the writer for the connection that is being opened. Closes the previous connection's writer. */
  openWriter(): ConnectionWriter {
    this.#writer?.dispose();
    const written = { read: () => this.#snapshot, apply: (change: Partial<Snapshot>) => this.#apply(change) };
    this.#writer = new ConnectionWriter(written, this.#clock);
    return this.#writer;
  }

  // Connection

  /**
   * Starts a new generation for another connection or none. Keeps only settings, view choices, test broadcasts, the
   * stored connections, and which streams were created here. Clears the filter if there is no connection.
   * @param known what another store knows about the connection
   */
  connected(connection: ConnectionState, known?: Partial<Snapshot>): void {
    const { generation, connectionCount, connectionNames, recordings, testBroadcasts, createdIds } = this.#snapshot;
    const { filter, sort, locale, recordingsRecordedOnly, showsAllConnections, settings } = this.#snapshot;
    const { connection: left, pinnedIds } = this.#snapshot;
    if ('info' in left) this.#created.set(left.info.id, new Set([...createdIds].filter((id) => pinnedIds.has(id))));
    this.#apply({
      ...EMPTY_SNAPSHOT,
      pinnedIds: this.#created.get(connectionIdOf({ connection }) ?? '') ?? new Set(),
      ...{ connection, connectionCount, connectionNames, testBroadcasts, createdIds },
      ...{ sort, locale, recordingsRecordedOnly, showsAllConnections, settings },
      filter: connection.kind === 'none' ? '' : filter,
      recordings: { ...EMPTY_RECORDINGS, isShown: recordings.isShown },
      ...known,
      generation: generation + 1,
    });
  }

  secretsAwaited(): void {
    if (this.#snapshot.connection.kind === 'starting')
      this.#apply({ connection: { kind: 'starting', isWaiting: true } });
  }

  renamed(info: ConnectionInfo): void {
    const { connection } = this.#snapshot;
    if (connection.kind === 'none' || connection.kind === 'starting' || connection.info.id !== info.id) return;
    this.#apply({ connection: { kind: connection.kind, info } });
  }

  setConnectionCount(connectionCount: number): void {
    this.#apply({ connectionCount });
  }

  setConnectionNames(connections: readonly Named[]): void {
    const known = this.#snapshot.connectionNames;
    const isSame = connections.length === known.size && connections.every(({ id, name }) => known.get(id) === name);
    if (!isSame) this.#apply({ connectionNames: new Map(connections.map(({ id, name }) => [id, name])) });
  }

  /** Sets when the poller retries the failed loads. */
  nextTry(nextTryAt: number | undefined, recordingsAt?: number): void {
    const { trouble, recordings } = this.#snapshot;
    const own = withNextTry(recordings.trouble, recordingsAt);
    this.#apply({
      trouble: withNextTry(trouble, nextTryAt),
      recordings: own === recordings.trouble ? recordings : { ...recordings, trouble: own },
    });
  }

  // View choices

  /**
   * Sets the filter. Active is filtered in VS Code; Idle and Recording must be reloaded unless the service's part of the
   * filter stays the same. Until then, their loaded rows are filtered.
   * @param kept IDs of streams that match although the service doesn't find them
   */
  setFilter(filter: string, kept: readonly string[] = []): void {
    const before = this.#snapshot.filter;
    if (filter === before) return;
    const isSameAtService = nameFilter(filter) === nameFilter(before);
    const { active, idle, recording } = this.#snapshot.lists;
    const refiltered = (list: ListState): ListState => {
      if (isSameAtService) return list;
      // A list that holds all streams also holds all that match.
      const hasNextPage = list.hasNextPage || (before !== '' && list.isFiltered === true);
      const ids = [...new Set([...list.ids, ...list.aside])];
      const rows = { ids, aside: [], revealed: list.revealed + list.aside.length, hasNextPage, total: undefined };
      return list.isLoaded ? { ...list, ...rows, isFiltered: undefined } : EMPTY_LIST;
    };
    const pinnedIds = new Set([...this.#snapshot.pinnedIds, ...kept]);
    const lists = { active, idle: refiltered(idle), recording: refiltered(recording) };
    this.#apply({ filter, lists, pinnedIds });
  }

  /** Groups that have more pages must be reloaded, because the service sorts them. */
  setSort(sort: SortKey): void {
    if (sort === this.#snapshot.sort) return;
    const { active, idle, recording } = this.#snapshot.lists;
    const resorted = (list: ListState): ListState => (list.hasNextPage ? { ...list, isSorted: false } : list);
    this.#apply({ sort, lists: { active, idle: resorted(idle), recording: resorted(recording) } });
  }

  /** Needs no reload: the loaded sessions include those that weren't recorded. */
  setRecordingsRecordedOnly(recordingsRecordedOnly: boolean): void {
    this.#apply({ recordingsRecordedOnly });
  }

  setShowsAllConnections(showsAllConnections: boolean): void {
    this.#apply({ showsAllConnections });
  }

  setSettings(settings: SettingValues): void {
    const before = this.#snapshot.settings;
    if (isSameJson(settings, before)) return;
    const isOther = settings.showHistoricChildStreams !== before.showHistoricChildStreams;
    this.#apply({ settings, ...(isOther && NO_CHILD_STREAMS) });
  }

  recordingsShown(isShown: boolean): void {
    const { recordings } = this.#snapshot;
    if (isShown !== recordings.isShown) this.#apply({ recordings: { ...recordings, isShown } });
  }

  /** Sets the test broadcasts of all connections, by stream ID. */
  setTestBroadcasts(testBroadcasts: Snapshot['testBroadcasts']): void {
    if (testBroadcasts !== this.#snapshot.testBroadcasts) this.#apply({ testBroadcasts });
  }

  testBroadcastChanged(streamId: string, broadcast: TestBroadcast | undefined): void {
    const { testBroadcasts } = this.#snapshot;
    if (isSameJson(testBroadcasts.get(streamId), broadcast)) return;
    const others = withoutKey(testBroadcasts, streamId);
    this.#apply({ testBroadcasts: broadcast === undefined ? others : new Map(others).set(streamId, broadcast) });
  }

  #apply(change: Partial<Snapshot>): void {
    const previous = this.#snapshot;
    const differs = (Object.keys(change) as (keyof Snapshot)[]).some((key) => change[key] !== previous[key]);
    if (!differs) return;
    const current = { ...previous, ...change };
    this.#snapshot = current;
    this.#pending.push({ previous, current });
    if (this.#pending.length > 1) return;
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      this.#changed.fire(next);
      this.#pending.shift();
    }
  }
}
