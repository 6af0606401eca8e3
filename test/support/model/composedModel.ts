import { Account } from '../../../src/model/account/account.ts';
import { Connection } from '../../../src/model/connection/connection.ts';
import { Interest } from '../../../src/model/loading/interest.ts';
import { StreamLoader } from '../../../src/model/loading/loader.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import type { Log, Transport } from '../../../src/services.ts';
import { ScriptedService } from '../service/scriptedService.ts';
import { type HeldClock, heldClock } from './heldClock.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Store, loader and API client as the extension joins them, over a scripted service and a held clock. */
export function composeModel(options: { pageSize?: number; transport?: (clock: HeldClock) => Transport } = {}) {
  const clock = heldClock();
  const service = new ScriptedService(() => clock.now());
  const transport = options.transport?.(clock) ?? service;
  const store = new StreamStore({ clock });
  const interest = new Interest();
  const loader = new StreamLoader({ clock, log: silent, interest, pageSize: () => options.pageSize ?? 500 });
  const connection = new Connection(store);
  connection.serve({
    loader,
    openAccount: ({ baseUrl, apiKey }) => new Account({ baseUrl, apiKey, transport, store, clock, log: silent }),
  });
  const connect = (id = 'one', apiKey = 'key-of-tests') =>
    connection.open({ id, name: id, baseUrl: 'https://service.test', apiKey, insecureAccepted: false });
  return { clock, service, store, loader, connection, interest, connect, log: silent };
}
