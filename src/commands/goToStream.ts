import { t } from '@vscode/l10n';
import type { CommandContext } from './context.ts';
import { openConnectionInfo } from './knownAddresses.ts';
import { givenRow } from './targets/commandArguments.ts';
import { streamIsGone } from './targets/refusals.ts';
import { revealStream } from './targets/revealStream.ts';
import { type NeedsStream, resolveOneStream } from './targets/streamTargets.ts';

/**
 * Picks one of all streams, or takes its id, and reveals its row, even if its page isn't loaded. Ignores rows: the
 * view's title menu passes the focused one.
 */
export async function goToStream(
  context: NeedsStream & Pick<CommandContext, 'loader'>,
  ...args: readonly unknown[]
): Promise<void> {
  openConnectionInfo(context);
  const given = givenRow(args[0]) === undefined ? args.slice(0, 1) : [];
  const picked = await resolveOneStream(context, given, t('Go to Stream'));
  if (picked === undefined) return;
  const stream = await context.current.account.readStream(picked.id, { pin: true });
  if (stream === undefined) throw streamIsGone(picked);
  await revealStream(context, stream);
}
