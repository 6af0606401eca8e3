import type { Disposable } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import { hasTag } from '../../util/hasTag.ts';
import type { Account } from '../account/account.ts';
import type { ConnectionInfo, Snapshot } from '../store/snapshot.ts';
import type { StreamStore } from '../store/store.ts';
import type { StoredConnection } from './connections.ts';

/** The same in every window, so that VS Code remembers which rows were expanded. Stored connections have UUIDs. */
export const DEMO_ID = 'demo';

export class NoConnectionError extends Error {
  readonly tag = 'NoConnectionError';

  constructor() {
    super('No connection is open');
    this.name = 'NoConnectionError';
  }
}

export function isNoConnection(error: unknown): error is NoConnectionError {
  return hasTag<NoConnectionError>(error, 'NoConnectionError');
}

interface ConnectionService {
  readonly openAccount: (connection: StoredConnection) => Account;
  readonly loader: { attach(account: Account | undefined): void };
}

/** A store's connection, or none. Its account, its info, and the store's generation change together here. */
export class Connection implements Disposable {
  readonly #store: StreamStore;
  readonly #changed = new Emitter<void>();
  /** Returns the known state of a connection that is opened. */
  recall: ((opened: StoredConnection) => Partial<Snapshot> | undefined) | undefined;
  #service: ConnectionService | undefined;
  #account: Account | undefined;
  #opened: StoredConnection | undefined;
  #switches = 0;

  constructor(store: StreamStore) {
    this.#store = store;
  }

  /** Provides accounts from now on. Their modules are loaded later than this one. */
  serve(service: ConnectionService): void {
    this.#service = service;
    this.#attach();
  }

  /** Fires when another account or none is open. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get info(): ConnectionInfo | undefined {
    const { connection } = this.#store.snapshot;
    return connection.kind === 'none' || connection.kind === 'starting' ? undefined : connection.info;
  }

  get isOpen(): boolean {
    return this.#account !== undefined;
  }

  /** Throws NoConnectionError if no connection is open or its key is gone. */
  get account(): Account {
    if (this.#account === undefined) throw new NoConnectionError();
    return this.#account;
  }

  /** Throws like `account`. */
  requireOpen(): void {
    if (!this.isOpen) throw new NoConnectionError();
  }

  /**
   * Call this before the first wait when opening another connection, because the secret storage or a service may be
   * slow. The returned function checks whether this is still the last request, because only the last one is opened.
   */
  beginSwitch(): () => boolean {
    this.#switches += 1;
    return this.watchSwitches();
  }

  /** Returns a function that checks whether no switch has begun since. */
  watchSwitches(): () => boolean {
    const before = this.#switches;
    return () => this.#switches === before;
  }

  /** Opens a connection. If it's open already with the same key and URL, only renames it, without a reload. */
  open(connection: StoredConnection, isDemo = false): void {
    const { id, name, baseUrl } = connection;
    const info: ConnectionInfo = { id, name, baseUrl, isDemo };
    if (this.#isOpenAs(connection)) {
      this.#store.renamed(info);
      return;
    }
    this.#opened = connection;
    this.#attach();
    this.#store.connected({ kind: 'open', info }, this.recall?.(connection));
  }

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
    this.#account?.dispose();
    this.#account = this.#opened && this.#service?.openAccount(this.#opened);
    this.#service?.loader.attach(this.#account);
    this.#changed.fire();
  }
}
