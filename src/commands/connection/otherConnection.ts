import { t } from '@vscode/l10n';
import type { Named } from '../../api/types.ts';
import { DEMO_ID } from '../../model/connection/connection.ts';
import { tryDemoLabel } from '../../texts/lateLabels.ts';
import { Refusal } from '../../texts/refusal.ts';
import { belongsElsewhere, demoIsStopped } from '../../texts/refusals.ts';
import { oneLine } from '../../util/text.ts';
import type { CommandAction, CommandContext, MessageAction } from '../context.ts';

export function isOpen({ connection }: CommandContext, { id }: Named): boolean {
  return connection.info?.id === id;
}

/** Returns the Refusal for an action on a connection that isn't open. It offers to switch and continue there. */
export function otherConnection(connection: Named, act: CommandAction): Refusal<MessageAction> {
  if (connection.id === DEMO_ID) {
    const before = { command: 'startDemo' } as const;
    return new Refusal(demoIsStopped(), {
      severity: 'info',
      actions: [{ ...act, label: tryDemoLabel(), before, connection }],
    });
  }
  // By ID: another connection may have taken the name since.
  const before = { command: 'switchConnection', args: [{ connectionId: connection.id }] } as const;
  const name = oneLine(connection.name, 100);
  return new Refusal(belongsElsewhere(connection.name), {
    severity: 'info',
    actions: [{ ...act, label: t('Switch to "{0}"', name), before, connection }],
  });
}
