import type { Clock, Log, Ui } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { StreamStore } from '../store/store.ts';
import type { Connections } from './connections.ts';
import type { CurrentConnection } from './current.ts';
import { SECRETS_AWAITED_AFTER_MS } from './secretWaits.ts';

interface Parts {
  readonly connections: Connections;
  readonly current: CurrentConnection;
}

/**
 * Opens the connection that this window had, else the last one chosen anywhere; none where there is none. Leaves things as
 * they are when that is no longer wanted once the storage has answered. Does not throw.
 */
export async function openChosen({ connections, current }: Parts, isWanted = () => true): Promise<void> {
  const chosen = await connections.chosen();
  const stored = chosen?.hasKey === true ? await connections.get(chosen.id) : undefined;
  if (!isWanted()) return;
  if (chosen === undefined) return current.close();
  if (stored !== undefined) return current.open(stored);
  const { id, name, baseUrl } = chosen;
  current.openWithoutKey({ id, name, baseUrl, isDemo: false });
}

/** Takes up what this or another window does to the stored connections: a new key or address, a new name, a removal. */
export function followConnections(
  parts: Parts & { readonly store: Pick<StreamStore, 'setConnectionCount'>; readonly log: Log },
): Disposable {
  return parts.connections.onDidChange((id) => {
    followChange(parts, id).catch((error: unknown) => parts.log.error('Following a connection failed', error));
  });
}

async function followChange(
  parts: Parts & { readonly store: Pick<StreamStore, 'setConnectionCount'> },
  id: string,
): Promise<void> {
  const { connections, current, store } = parts;
  store.setConnectionCount((await connections.list()).length);
  const { info } = current;
  if (info?.isDemo === true || (info !== undefined && info.id !== id)) return;
  const stored = info === undefined ? undefined : await connections.get(id);
  if (current.info?.id !== info?.id) return;
  if (stored === undefined) await openChosen(parts);
  else current.open(stored);
}

/**
 * What this window begins with: the demo where it was on, else its connection; what a command has opened meanwhile stays.
 * Says what storage could not do.
 */
export async function openAtStart(
  parts: Parts & {
    readonly store: Pick<StreamStore, 'setConnectionCount' | 'secretsAwaited' | 'snapshot'>;
    readonly clock: Pick<Clock, 'setTimeout'>;
    readonly demo: { start(): Promise<void> };
    readonly ui: Pick<Ui, 'notify'>;
    readonly log: Pick<Log, 'error'>;
  },
): Promise<void> {
  const { connections, store, demo, ui, log } = parts;
  const isStarting = () => store.snapshot.connection.kind === 'starting';
  if (connections.wasDemoOn() && isStarting()) {
    await demo.start().catch((error: unknown) => log.error('The demo did not start', error));
  }
  await whenReadable(parts);
  store.setConnectionCount((await connections.list()).length);
  if (isStarting()) await openChosen(parts, isStarting);
  const warning = connections.takeWarning();
  // Not awaited: the message may stay for long.
  if (warning !== undefined) void ui.notify('warning', warning);
}

/** Waits for the secret storage for as long as it takes; the store says so once that is long. */
async function whenReadable({
  connections,
  clock,
  store,
}: {
  readonly connections: Connections;
  readonly clock: Pick<Clock, 'setTimeout'>;
  readonly store: Pick<StreamStore, 'secretsAwaited'>;
}): Promise<void> {
  const timer = clock.setTimeout(() => store.secretsAwaited(), SECRETS_AWAITED_AFTER_MS);
  try {
    await connections.whenReadable();
  } finally {
    timer.dispose();
  }
}
