import { t } from '@vscode/l10n';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { changeSingle } from '../changes/changeCommands.ts';
import type { CommandContext } from '../context.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';
import { completePolicy, givenPolicy } from './policyBoxes.ts';

/**
 * Sets who may watch a stream. Takes a row, or {id, type, webhookId?, allowedOrigins?}: with a type, it asks for nothing but
 * a missing webhook, and leaves the origins as they are unless they are given.
 */
export async function setPlaybackPolicy(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const { account } = context.connection;
  const given = givenPolicy(args[0]);
  const stream = await resolveOneStream(context, args, t('Set Playback Policy'));
  if (stream === undefined) return;
  const policy = await completePolicy(context, stream, given);
  if (policy === undefined) return;
  await changeSingle(context, { account, info, stream, change: { operation: 'settingPolicy', policy } });
}
