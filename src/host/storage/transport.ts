import type * as vscode from 'vscode';
import { createChosenTransport } from '../../api/transport/chosenTransport.ts';
import { createFetchTransport } from '../../api/transport/fetchTransport.ts';
import { createUndiciTransport } from '../../api/transport/undiciTransport.ts';
import type { Clock, Downloads, Log, Settings, Transport } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { readNetworkSettings } from './networkSettings.ts';

export interface HostTransportOptions {
  readonly settings: Pick<Settings, 'networkClient' | 'networkTimeout'>;
  readonly where: vscode.ExtensionKind;
  readonly clock: Clock;
  readonly log: Log;
}

/** The transport of all requests: the client that the settings choose, with the network settings of that moment. */
export function createTransport({
  settings,
  where,
  clock,
  log,
}: HostTransportOptions): Transport & Downloads & Disposable {
  const network = () => readNetworkSettings(where, settings.networkTimeout());
  // Looked up for each request: VS Code may replace it at any time.
  const fetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args);
  return createChosenTransport(settings.networkClient, {
    undici: createUndiciTransport({ settings: network, clock, log }),
    editor: createFetchTransport({ fetch, settings: network, clock, log }),
  });
}
