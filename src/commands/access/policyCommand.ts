import { t } from '@vscode/l10n';
import type { PlaybackPolicy, Stream } from '../../api/types.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { changeSingle } from '../changes/changeCommands.ts';
import type { CommandContext } from '../context.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';
import { findWebhook, resolveWebhook } from '../webhooks/webhookTargets.ts';

const TYPES = ['public', 'jwt', 'webhook'] as const;

type PolicyType = (typeof TYPES)[number];

/**
 * Sets who may watch a stream. Takes a row, or {id, type, webhookId?, allowedOrigins?}: with a type, it asks for nothing but
 * a missing webhook, and leaves the origins as they are unless they are given.
 */
export async function setPlaybackPolicy(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const info = openConnectionInfo(context);
  const { account } = context.current;
  const given = { type: givenType(args[0]), allowedOrigins: givenOrigins(args[0]) };
  const stream = await resolveOneStream(context, args, t('Set Playback Policy'));
  if (stream === undefined) return;
  const { playbackPolicy } = stream;
  const type = given.type ?? (await pickType(context, stream));
  if (type === undefined) return;
  const webhook = type === 'webhook' ? await webhookFor(context, args[0], stream) : undefined;
  if (type === 'webhook' && webhook === undefined) return;
  const before = playbackPolicy?.allowedOrigins ?? [];
  const asks = given.type === undefined && given.allowedOrigins === undefined;
  const allowedOrigins = asks ? await askOrigins(context, stream, before) : (given.allowedOrigins ?? before);
  if (allowedOrigins === undefined) return;
  const policy: PlaybackPolicy = { type, webhookId: webhook?.id, allowedOrigins };
  await changeSingle(context, { account, info, stream, change: { operation: 'settingPolicy', policy } });
}

function givenType(given: unknown): PolicyType | undefined {
  const type = givenField(given, 'type');
  if (type === undefined) return undefined;
  const known = TYPES.find((each) => each === type);
  if (known === undefined) throw new Refusal(t('The playback policy must be "public", "jwt", or "webhook".'));
  return known;
}

function givenOrigins(given: unknown): readonly string[] | undefined {
  const origins = givenField(given, 'allowedOrigins');
  if (origins === undefined) return undefined;
  const read = readOrigins(Array.isArray(origins) ? origins : [origins]);
  if (!read.ok) throw new Refusal(notAnOrigin(read.text));
  return read.origins;
}

async function pickType({ ui }: CommandContext, { name, id, playbackPolicy }: Stream): Promise<PolicyType | undefined> {
  const item = (value: PolicyType, label: string, detail: string) => {
    return { label, detail, icon: playbackPolicy?.type === value ? 'check' : 'blank', value };
  };
  return ui.pick<PolicyType>({
    title: t('Set Playback Policy'),
    placeholder: t('Select who can watch "{0}"', nameOf({ id, name })),
    items: [
      item('public', t('Public'), t('Anyone can watch.')),
      item('jwt', t('Signed Token'), t('Only viewers with a token that is signed with one of your signing keys.')),
      item('webhook', t('Webhook'), t('The service asks one of your webhooks about each viewer.')),
    ],
  });
}

/** Throws a Refusal if it is gone. */
function webhookFor(context: CommandContext, given: unknown, { playbackPolicy }: Stream) {
  const title = t('Set Playback Policy');
  const id = givenText(given, 'webhookId');
  if (id !== undefined) return resolveWebhook(context, { id }, title);
  // The one that is in force, unless the command asks.
  const { webhookId } = playbackPolicy ?? {};
  return givenField(given, 'type') !== undefined && webhookId !== undefined
    ? findWebhook(context, webhookId)
    : resolveWebhook(context, undefined, title);
}

async function askOrigins(
  { ui }: CommandContext,
  stream: Stream,
  before: readonly string[],
): Promise<readonly string[] | undefined> {
  const split = (text: string) => text.split(/[\s,]+/).filter((each) => each !== '');
  const text = await ui.input({
    title: t('Set Playback Policy'),
    prompt: t('Enter the origins of websites that can play "{0}", or leave this empty for all', nameOf(stream)),
    placeholder: 'https://www.example.com https://example.com',
    value: before.join(' '),
    validate: (typed) => {
      const read = readOrigins(split(typed));
      return read.ok ? undefined : notAnOrigin(read.text);
    },
  });
  const read = text === undefined ? undefined : readOrigins(split(text));
  return read?.ok === true ? read.origins : undefined;
}

type ReadOrigins =
  | { readonly ok: true; readonly origins: readonly string[] }
  | { readonly ok: false; readonly text: string };

/** The service takes "<scheme>://<host>:<port>", without a slash at its end, and "*" (src/api/README.md, Access). */
function readOrigins(given: readonly unknown[]): ReadOrigins {
  const origins: string[] = [];
  for (const each of given) {
    const text = typeof each === 'string' ? each.trim() : '';
    const origin = text === '*' ? text : originOf(text);
    if (origin === undefined) return { ok: false, text };
    origins.push(origin);
  }
  return { ok: true, origins: [...new Set(origins)] };
}

function originOf(text: string): string | undefined {
  const parsed = URL.parse(text);
  const isWeb = parsed !== null && /^https?:$/.test(parsed.protocol) && /^https?:\/\//i.test(text);
  return isWeb && parsed.href === `${parsed.origin}/` ? parsed.origin : undefined;
}

function notAnOrigin(text: string): string {
  return t('"{0}" isn\'t an origin, such as https://example.com.', text);
}
