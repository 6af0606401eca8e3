import { t } from '@vscode/l10n';
import type { Named } from '../../api/types.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { createSigningKeyLabel, setPlaybackPolicyLabel, withoutDots } from '../../texts/lateLabels.ts';
import { withConnection } from '../../texts/listedNames.ts';
import { nameOf } from '../../texts/names.ts';
import { changeSingle } from '../changes/changeCommands.ts';
import type { CommandContext } from '../context.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';
import { completePolicy, createWantedKey, givenPolicy } from './policyBoxes.ts';
import { lacksSigningKey } from './signingKeyCommands.ts';

/**
 * Sets who may watch a stream. Takes a row, or {id, type, webhookId?, allowedOrigins?}: with a type, it asks only for a
 * missing webhook, keeps the origins unless they are given, and offers to create a missing signing key afterwards.
 */
export async function setPlaybackPolicy(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const { account } = context.connection;
  const given = givenPolicy(args[0]);
  const stream = await resolveOneStream(context, args, withoutDots(setPlaybackPolicyLabel()));
  if (stream === undefined) return;
  const completed = await completePolicy(context, stream, given);
  if (completed === undefined) return;
  const change = { operation: 'settingPolicy', policy: completed.policy } as const;
  await changeSingle(context, { account, info, stream, change }, () => createWantedKey(context, completed));
  // Without a type, the boxes have already asked about a signing key.
  if (given.type === 'jwt') await offerSigningKey(context, stream);
}

/** Offers to create a missing signing key: without one, nobody can watch the stream. */
async function offerSigningKey(context: CommandContext, stream: Named): Promise<void> {
  if (!(await lacksSigningKey(context))) return;
  const sentence = t('Viewers of "{0}" need a signed token, but your account has no signing key.', nameOf(stream));
  const create = { label: createSigningKeyLabel(), command: 'createSigningKey', args: [] } as const;
  context.showMessage({ severity: 'info', sentence: withConnection(context, sentence), actions: [create] });
}
