import type { Clock, Log, Notifier } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import type { StreamStore } from '../store/store.ts';
import type { Connection } from './connection.ts';
import type { Connections, ReadConnection } from './connections.ts';
import { SECRETS_AWAITED_AFTER_MS } from './secretWaits.ts';

interface WindowContext {
  readonly connections: Connections;
  readonly connection: Connection;
}

/**
 * Opens this window's connection, or otherwise the last one chosen in any window, or the first. Keeps a connection that
 * a command opens in the meantime. Doesn't throw.
 */
export async function openChosen(parts: WindowContext): Promise<void> {
  const { connections, connection } = parts;
  const before = connection.info?.id;
  await openChosenOf(await connections.readAll(), parts, () => connection.info?.id === before);
}

async function openChosenOf(
  all: readonly ReadConnection[],
  { connections, connection }: WindowContext,
  isWanted: () => boolean,
): Promise<void> {
  const chosen = await connections.chosenOf(all);
  if (!isWanted()) return;
  if (chosen === undefined) return connection.close();
  const { id, name, baseUrl, stored } = chosen;
  if (stored !== undefined) return connection.open(stored);
  connection.openWithoutKey({ id, name, baseUrl, isDemo: false });
}

export function followConnections(
  parts: WindowContext & { readonly store: StreamStore; readonly log: Log },
): Disposable {
  return parts.connections.onDidChange((id) => {
    followChange(parts, id).catch((error: unknown) => parts.log.error('Following a connection failed', error));
  });
}

async function followChange(parts: WindowContext & { readonly store: StreamStore }, id: string): Promise<void> {
  const { connections, connection, store } = parts;
  const all = await connections.list();
  store.setConnectionCount(all.length);
  store.setConnectionNames(all);
  const { info } = connection;
  if (info?.isDemo === true || (info !== undefined && info.id !== id)) return;
  // Waits without a limit and throws on failure: a slow or failing storage must not close a working connection.
  const stored = info === undefined ? undefined : await connections.getPatiently(id);
  if (connection.info?.id !== info?.id) return;
  if (stored === undefined) await openChosen(parts);
  else connection.open(stored);
}

/**
 * Opens the demo if it was on, otherwise the stored connection, unless a command has opened one. Shows storage
 * failures.
 */
export async function openAtStart(
  parts: WindowContext & {
    readonly store: StreamStore;
    readonly clock: Clock;
    readonly demo: { start(): Promise<void> };
    readonly ui: Notifier;
    readonly log: Log;
  },
): Promise<void> {
  const { connections, store, demo, ui, log } = parts;
  const isStarting = () => store.snapshot.connection.kind === 'starting';
  if (connections.wasDemoOn() && isStarting()) {
    await demo.start().catch((error: unknown) => log.error("The demo didn't start", error));
  }
  const all = await readAll(parts);
  store.setConnectionCount(all.length);
  store.setConnectionNames(all);
  if (isStarting()) await openChosenOf(all, parts, isStarting);
  const warning = connections.takeWarning();
  // Not awaited, because the message may stay open for a long time.
  if (warning !== undefined) void ui.notify('warning', warning);
}

// Waits without a limit. Notifies the store if that takes long.
async function readAll({
  connections,
  clock,
  store,
}: {
  readonly connections: Connections;
  readonly clock: Clock;
  readonly store: StreamStore;
}): Promise<readonly ReadConnection[]> {
  const timer = clock.setTimeout(() => store.secretsAwaited(), SECRETS_AWAITED_AFTER_MS);
  try {
    return await connections.readAll({ isPatient: true });
  } finally {
    timer.dispose();
  }
}
