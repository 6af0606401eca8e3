import type { StreamApi } from '../../api/streamApi.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { StreamLoader } from '../loading/loader.ts';
import type { ConnectionInfo } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import type { StoredConnection } from './connections.ts';

/** Stored connections have UUIDs. The same in every window, so that VS Code remembers which rows were expanded. */
export const DEMO_ID = 'demo';

export class NoConnectionError extends Error {
  readonly tag = 'NoConnectionError';

  constructor() {
    super('No connection is open');
    this.name = 'NoConnectionError';
  }
}

export interface ConnectionService {
  readonly makeApi: (connection: { readonly baseUrl: string; readonly apiKey: string }) => StreamApi;
  readonly loader: Pick<StreamLoader, 'attach'>;
}

/** The connection that is open in this window. Its client, its info and the store's generation change together here. */
export class CurrentConnection implements Disposable {
  readonly #store: StreamStore;
  #service: ConnectionService | undefined;
  #api: StreamApi | undefined;
  #opened: StoredConnection | undefined;

  constructor(store: StreamStore) {
    this.#store = store;
  }

  /**
   * Provides the client from now on. `api` must not be used before, because the client's modules may not be loaded yet.
   */
  serve(service: ConnectionService): void {
    this.#service = service;
    this.#attach();
  }

  get info(): ConnectionInfo | undefined {
    const { connection } = this.#store.snapshot;
    return connection.kind === 'none' || connection.kind === 'starting' ? undefined : connection.info;
  }

  /** The client of the open connection. Throws NoConnectionError if there is none. */
  get api(): StreamApi {
    if (this.#api === undefined) throw new NoConnectionError();
    return this.#api;
  }

  /**
   * Opens a connection, and drops the data and pending responses of the previous one. If it is already open with the
   * same key and address, only its name changes, so that nothing is reloaded.
   */
  open(connection: StoredConnection, isDemo = false): void {
    const { id, name, baseUrl } = connection;
    const info: ConnectionInfo = { id, name, baseUrl, isDemo };
    if (this.#isOpenAs(connection)) {
      this.#store.renamed(info);
      return;
    }
    this.#opened = connection;
    this.#attach();
    this.#store.connected({ kind: 'open', info });
  }

  /** Shows a connection whose secret is gone; it can't send requests. */
  openWithoutKey(info: ConnectionInfo): void {
    this.#drop();
    this.#store.connected({ kind: 'keyless', info });
  }

  close(): void {
    this.#drop();
    this.#store.connected({ kind: 'none' });
  }

  dispose(): void {
    this.#drop();
  }

  #isOpenAs({ id, baseUrl, apiKey }: StoredConnection): boolean {
    const opened = this.#opened;
    const isSame = opened?.id === id && opened.baseUrl === baseUrl && opened.apiKey === apiKey;
    return isSame && this.#store.snapshot.connection.kind === 'open';
  }

  #drop(): void {
    this.#opened = undefined;
    this.#attach();
  }

  #attach(): void {
    this.#api = this.#opened && this.#service?.makeApi(this.#opened);
    this.#service?.loader.attach(this.#api);
  }
}
