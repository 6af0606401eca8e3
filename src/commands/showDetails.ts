import { t } from '@vscode/l10n';
import type { CommandContext } from './context.ts';
import { openConnectionInfo } from './knownAddresses.ts';
import type { NeedsSession } from './targets/pickSession.ts';
import { resolveOneSession } from './targets/sessionTargets.ts';
import { type NeedsStream, resolveOneStream } from './targets/streamTargets.ts';

export async function showStream(
  context: NeedsStream & Pick<CommandContext, 'details'>,
  ...args: readonly unknown[]
): Promise<void> {
  openConnectionInfo(context);
  const stream = await resolveOneStream(context, args, t('Show Details'));
  if (stream !== undefined) await context.details.openStream(stream);
}

export async function showSession(
  context: NeedsSession & Pick<CommandContext, 'details'>,
  ...args: readonly unknown[]
): Promise<void> {
  openConnectionInfo(context);
  const session = await resolveOneSession(context, args, { title: t('Show Details') });
  if (session !== undefined) await context.details.openSession(session);
}
