import { t } from '@vscode/l10n';
import type { Named } from '../../api/types.ts';
import type { ConnectionPatch, UnknownConnectionError } from '../../model/connection/connections.ts';
import { Refusal } from '../../texts/refusal.ts';
import { hasTag } from '../../util/hasTag.ts';
import { oneLine } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';

/** Changes a stored connection. Throws a Refusal if it was removed, such as in another window. */
export async function updateConnection(
  { connections }: CommandContext,
  { id, name }: Named,
  patch: ConnectionPatch,
): Promise<void> {
  try {
    await connections.update(id, patch);
  } catch (error) {
    throw hasTag<UnknownConnectionError>(error, 'UnknownConnectionError') ? connectionIsGone(name) : error;
  }
}

/**
 * Opens a stored connection in this window, with or without a key. Resolves with false if
 * another one was requested in the meantime. Throws a Refusal if the connection was removed, such as in another window.
 */
export async function openConnection(
  { connections, connection }: CommandContext,
  { id, name }: Named,
): Promise<boolean> {
  const isLatest = connection.beginSwitch();
  const stored = await connections.get(id);
  const known = stored ?? (await connections.list()).find((each) => each.id === id);
  if (!isLatest()) return false;
  if (known === undefined) throw connectionIsGone(name);
  await connections.choose(id);
  // The demo keeps running, with everything that was created in it.
  if (connection.info?.isDemo === true) await connections.noteDemo(false);
  if (!isLatest()) return false;
  if (stored !== undefined) connection.open(stored);
  else connection.openWithoutKey({ id, name: known.name, baseUrl: known.baseUrl, isDemo: false });
  return true;
}

/** Whether there is more than one connection to show, including the demo. */
export function hasSeveralConnections({ store, connection, demo }: CommandContext): boolean {
  const hasDemo = connection.info?.isDemo === true || demo.running !== undefined;
  return store.snapshot.connectionCount + (hasDemo ? 1 : 0) > 1;
}

function connectionIsGone(name: string): Refusal {
  return new Refusal(t('The connection "{0}" no longer exists.', oneLine(name, 100)));
}

/** Shows a pending warning of the secret storage, once. Not awaited: the message may stay open for a long time. */
export function sayWarning({ ui, connections }: CommandContext): void {
  const warning = connections.takeWarning();
  if (warning !== undefined) void ui.notify('warning', warning);
}
