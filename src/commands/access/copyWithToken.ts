import { t } from '@vscode/l10n';
import type { Stream } from '../../api/types.ts';
import { hlsAddressOf } from '../../model/connection/hlsAddress.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { withToken } from '../../model/filledAddresses.ts';
import { needsToken } from '../../model/store/streams.ts';
import { noSigningKey, webhookDecides } from '../../texts/access.ts';
import { copyHlsUrlLabel, createSigningKeyLabel, useSigningKeyLabel, withoutDots } from '../../texts/lateLabels.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { streamIsGone, switchedConnections, unknownAddress } from '../../texts/refusals.ts';
import type { CommandContext, CommandHandler } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { givenField } from '../targets/commandArguments.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';
import { createSigningKey, useSigningKey } from './signingKeyCommands.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const LONGEST_S = 366 * DAY_S;

/**
 * Copies the HLS URL of a private stream with a token. Takes a row, or {id, seconds}; prompts for what is missing, and
 * also for a signing key unless `seconds` is given.
 */
export async function copyPlaybackUrlWithToken(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const { id: connectionId } = openConnectionInfo(context);
  const { account } = context.connection;
  const given = givenSeconds(args[0]);
  const known = await resolveOneStream(context, args, boxTitle(), { first: 'private' });
  if (known === undefined) return;
  const stream = await requirePrivate(context, known);
  const access = await context.access();
  if (access === undefined) return;
  const hasKey = async () => (await access.keyOf(connectionId)) !== undefined;
  if (!(await hasKey())) await obtainKey(context, given);
  // Creating one was dismissed.
  if (!(await hasKey())) return;
  const seconds = given ?? (await pickSeconds(context, stream));
  if (seconds === undefined) return;
  if (account.isClosed) throw switchedConnections();
  const url = await hlsAddressOf(context, stream);
  if (url === undefined) throw unknownAddress(context, 'hls');
  const token = await account.viewerToken(stream, seconds);
  // Another window may have deleted it.
  if (token === undefined) throw noSigningKey();
  await context.ui.copy(withToken(url, token));
  flashDone(context, t('Copied the HLS URL with a token for "{0}"', nameOf(stream)));
}

/** Throws a Refusal if `seconds` is given, because the command then prompts for nothing. */
async function obtainKey(context: CommandContext, seconds: number | undefined): Promise<void> {
  if (seconds !== undefined) throw noSigningKey();
  const get = await context.ui.pick<CommandHandler>({
    title: boxTitle(),
    placeholder: t('Create or import a signing key to sign tokens'),
    items: [
      { label: createSigningKeyLabel(), icon: 'add', value: createSigningKey },
      { label: useSigningKeyLabel(), icon: 'key', value: useSigningKey },
    ],
  });
  await get?.(context);
}

function givenSeconds(given: unknown): number | undefined {
  const seconds = givenField(given, 'seconds');
  if (seconds === undefined) return undefined;
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0 && seconds <= LONGEST_S) return seconds;
  throw new Refusal(t('Specify how long the token is valid, in whole seconds. The maximum is one year.'));
}

/** Throws a Refusal for a stream that needs no token from us or doesn't play at all. */
async function requirePrivate({ connection }: CommandContext, known: Stream): Promise<Stream> {
  // Its policy may have been set elsewhere.
  const stream = needsToken(known) ? known : await connection.account.readStream(known.id);
  if (stream === undefined) throw streamIsGone(known);
  const name = nameOf(stream);
  if (stream.playbackId === undefined) throw new Refusal(t('"{0}" has no playback ID.', name));
  if (needsToken(stream)) return stream;
  if (stream.playbackPolicy?.type === 'webhook') {
    throw new Refusal(webhookDecides(stream));
  }
  throw new Refusal(t('"{0}" doesn\'t use signed tokens.', name), {
    severity: 'info',
    actions: [{ label: copyHlsUrlLabel(), command: 'copyPlaybackUrl', args: [stream.id] }],
  });
}

function pickSeconds({ ui }: CommandContext, stream: Stream): Promise<number | undefined> {
  return ui.pick({
    title: boxTitle(),
    placeholder: t('Select how long anyone with the URL can watch "{0}"', nameOf(stream)),
    items: [
      { label: t('1 hour'), icon: 'watch', value: HOUR_S },
      { label: t('1 day'), icon: 'watch', value: DAY_S },
      { label: t('1 week'), icon: 'watch', value: 7 * DAY_S },
    ],
  });
}

function boxTitle(): string {
  return withoutDots(t('Copy HLS URL with Token…'));
}
