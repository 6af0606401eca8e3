import { t } from '@vscode/l10n';
import { DEMO_ID } from '../../model/connection/current.ts';
import { oneLine } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { type NamedConnection, Refusal } from '../refusal.ts';
import { openConnection, sayWarning } from './connect.ts';

type Continuation = (context: CommandContext) => unknown;

export function isOpen({ current }: Pick<CommandContext, 'current'>, { id }: NamedConnection): boolean {
  return current.info?.id === id;
}

/** Returns the Refusal for something at another connection. It offers to switch and continue there. */
export function otherConnection(connection: NamedConnection, proceed: Continuation): Refusal {
  if (connection.id === DEMO_ID) return demoIsOff(proceed);
  const name = oneLine(connection.name, 100);
  const before = (next: CommandContext) => openStored(next, connection);
  return new Refusal(t('This item belongs to "{0}", which isn\'t the current connection.', name), {
    severity: 'info',
    actions: [{ label: t('Switch Connection…'), before, run: proceed, connection }],
  });
}

/** Returns the Refusal for something in the demo while it is off. It offers to start the demo and continue there. */
export function demoIsOff(proceed: Continuation): Refusal {
  const before = (next: CommandContext) => next.demo.start();
  const sentence = t("This item belongs to the demo, which isn't running.");
  return new Refusal(sentence, {
    severity: 'info',
    actions: [{ label: t('Try the Demo'), before, run: proceed, connection: { id: DEMO_ID, name: t('Demo') } }],
  });
}

/** By id: another connection may have taken the name since. */
async function openStored(context: CommandContext, { id }: NamedConnection): Promise<void> {
  const all = await context.connections.list();
  if (!all.some((each) => each.id === id)) throw new Refusal(t('No connection with this name was found.'));
  await openConnection(context, id);
  sayWarning(context);
}
