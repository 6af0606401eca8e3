import { t } from '@vscode/l10n';
import type { Named } from '../../api/types.ts';
import { DEMO_ID } from '../../model/connection/connection.ts';
import { isSameName } from '../../model/connection/connectionNames.ts';
import type { CommandCall } from '../../texts/actions.ts';
import { Refusal } from '../../texts/refusal.ts';
import type { BoundAction, CommandContext } from '../context.ts';
import { isOfConnection } from '../table.ts';
import { givenField } from '../targets/commandArguments.ts';

/**
 * Returns the connection that arguments name. Rows name one while several connections are shown, and {id, connection}
 * by name or ID. Undefined if they name none. Throws a Refusal if there is no such connection, or if they name several.
 */
export function givenConnection(context: CommandContext, args: readonly unknown[]): Named | undefined {
  const [first, chosen] = args;
  const given = [first, ...(Array.isArray(chosen) ? chosen : [])].filter((each) => each !== undefined && each !== null);
  const named = new Set(given.map((each) => givenField(each, 'connection')));
  if ([...named].every((each) => each === undefined)) return undefined;
  const found = new Map([...named].map((each) => findConnection(context, each)).map((each) => [each.id, each]));
  const [one, ...others] = found.values();
  if (others.length > 0) throw new Refusal(t('Select items from one connection at a time.'), { severity: 'info' });
  return one;
}

/** Returns how to run a command for a page's connection: limited to it, unless the command isn't for a connection. */
export function actFor(
  { connection, store }: CommandContext,
  id: string,
  { command, args = [] }: CommandCall,
): CommandCall & BoundAction {
  if (command === 'setApiKey' && args.length === 0) return { command, args: [{ connectionId: id }] };
  if (!isOfConnection(command)) return { command, args };
  const name = connection.info?.id === id ? connection.info.name : store.snapshot.connectionNames.get(id);
  return { command, args, connection: { id, name: name ?? id } };
}

/** Returns the active connection if none is named. */
function findConnection({ connection, store, demo }: CommandContext, named: unknown): Named {
  const { info } = connection;
  const known = new Map(store.snapshot.connectionNames);
  if (demo.running !== undefined) known.set(DEMO_ID, demo.name);
  if (info !== undefined) known.set(info.id, info.name);
  const text = named === undefined ? info?.id : named;
  if (typeof text === 'string') {
    const name = known.get(text);
    if (name !== undefined) return { id: text, name };
    for (const [id, each] of known) if (isSameName(each, text)) return { id, name: each };
  }
  throw new Refusal(t('No connection with this name was found.'));
}
