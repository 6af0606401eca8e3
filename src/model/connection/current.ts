import type { StreamApi } from '../../api/streamApi.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { StreamLoader } from '../loading/loader.ts';
import type { ConnectionInfo } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import type { StoredConnection } from './connections.ts';

/** The demo's connection; stored ones have UUIDs. The same in every window, so that the editor remembers which of its rows were open. */
export const DEMO_ID = 'demo';

/** A command needs a connection and none is open. Told apart by its tag. */
export class NoConnectionError extends Error {
  readonly tag = 'NoConnectionError';

  constructor() {
    super('No connection is open');
    this.name = 'NoConnectionError';
  }
}

/** Who makes the client of the open connection, and who asks with it. */
export interface ConnectionService {
  readonly makeApi: (connection: { readonly baseUrl: string; readonly apiKey: string }) => StreamApi;
  readonly loader: Pick<StreamLoader, 'attach'>;
}

/** Which connection this window has open: its client, its info, and the store's generation change together here. */
export class CurrentConnection implements Disposable {
  readonly #store: StreamStore;
  #service: ConnectionService | undefined;
  #api: StreamApi | undefined;
  #opened: StoredConnection | undefined;

  constructor(store: StreamStore) {
    this.#store = store;
  }

  /** From now on the open connection has a client. Until then nobody asks for one: what it is made of may not be loaded. */
  serve(service: ConnectionService): void {
    this.#service = service;
    this.#attach();
  }

  get info(): ConnectionInfo | undefined {
    const { connection } = this.#store.snapshot;
    return connection.kind === 'none' || connection.kind === 'starting' ? undefined : connection.info;
  }

  /** The client of the open connection; throws NoConnectionError where there is none. */
  get api(): StreamApi {
    if (this.#api === undefined) throw new NoConnectionError();
    return this.#api;
  }

  /**
   * Opens a connection: what was known of another is dropped, and so are its answers under way. One that is open already
   * with this key and address only takes the name, so that nothing is asked twice.
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

  /** A connection whose secret is gone: named, but nothing can be asked. */
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
