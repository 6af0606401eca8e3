import { t } from '@vscode/l10n';
import type { Named } from '../../api/types.ts';
import { signingKeysOf } from '../../model/account/accountSigningKeys.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { createSigningKeyLabel } from '../../texts/lateLabels.ts';
import { nameOf, withConnection } from '../../texts/names.ts';
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
  if (policy.type === 'jwt') await offerSigningKey(context, stream);
}

/** Nobody can watch a stream whose tokens nobody can sign. */
async function offerSigningKey(context: CommandContext, stream: Named): Promise<void> {
  const keys = signingKeysOf(context.connection.account);
  if (!keys.isOffered) return;
  // The policy is set, whether or not this can be read.
  const listed = await keys.list().catch(() => undefined);
  if (listed?.length !== 0) return;
  const sentence = t('Viewers of "{0}" need a signed token, but your account has no signing key.', nameOf(stream));
  const create = { label: createSigningKeyLabel(), command: 'createSigningKey', args: [] } as const;
  context.showMessage({ severity: 'info', sentence: withConnection(context, sentence), actions: [create] });
}
