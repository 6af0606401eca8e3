import type { KnownSecrets } from '../../api/knownSecrets.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import type { TokenRequest } from '../access/token.ts';
import { Account, type AccountOptions } from '../account/account.ts';
import { Interest } from '../loading/interest.ts';
import { StreamLoader } from '../loading/loader.ts';
import { Poller, type PollerOptions } from '../loading/poller.ts';
import type { StreamStore } from '../store/store.ts';
import type { Connection } from './connection.ts';

export interface ModelParts
  extends Pick<AccountOptions, 'transport' | 'clock' | 'log'>,
    Pick<PollerOptions, 'presence' | 'settings' | 'random'> {
  readonly secrets: KnownSecrets;
  readonly makeToken: (
    connectionId: string,
    request: TokenRequest,
  ) => ReturnType<NonNullable<AccountOptions['makeToken']>>;
}

/** The store of one connection, and its account once it's open. */
export interface ConnectionStore {
  readonly store: StreamStore;
  readonly connection: Connection;
}

/** The store of one connection and the objects that load and poll it. */
export interface ConnectionModel extends ConnectionStore, Disposable {
  readonly loader: StreamLoader;
  readonly interest: Interest;
}

/** Makes the objects that send requests to a connection's service and opens its account from now on. */
export function serveConnection(
  { store, connection }: ConnectionStore,
  { makeToken, transport, secrets, ...parts }: ModelParts,
): ConnectionModel {
  const owned = new DisposableStore();
  const { settings, clock, log } = parts;
  const interest = new Interest();
  const loader = owned.add(new StreamLoader({ ...parts, interest, pageSize: settings.pageSize }));
  connection.serve({
    loader,
    openAccount({ id, baseUrl, apiKey }) {
      const ofConnection = (request: TokenRequest) => makeToken(id, request);
      return new Account({ baseUrl, apiKey, transport, store, clock, log, secrets, makeToken: ofConnection });
    },
  });
  owned.add(settings.onDidChange(() => void loader.fillPages()));
  owned.add(new Poller({ ...parts, store, loader, interest }));
  return { store, connection, loader, interest, dispose: () => owned.dispose() };
}
