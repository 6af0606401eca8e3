import { t } from '@vscode/l10n';
import type { PlaybackPolicy, Stream } from '../../api/types.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import type { CommandContext } from '../context.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { findWebhook, resolveWebhook } from '../webhooks/webhookTargets.ts';

const TYPES = ['public', 'jwt', 'webhook'] as const;

type PolicyType = (typeof TYPES)[number];

type PolicyStream = Pick<Stream, 'id' | 'name' | 'playbackPolicy'>;

/** What arguments say of a policy, checked. */
export interface GivenPolicy {
  readonly type: PolicyType | undefined;
  readonly webhookId: string | undefined;
  readonly allowedOrigins: readonly string[] | undefined;
}

/** Reads {type?, webhookId?, allowedOrigins?}. Throws a Refusal if they are no policy. */
export function givenPolicy(given: unknown): GivenPolicy {
  return { type: givenType(given), webhookId: givenText(given, 'webhookId'), allowedOrigins: givenOrigins(given) };
}

/**
 * Asks for what isn't given; with a type, for nothing but a missing webhook. Returns undefined if that is dismissed. Throws
 * a Refusal if the webhook is gone.
 */
export async function completePolicy(
  context: CommandContext,
  stream: PolicyStream,
  given: GivenPolicy,
): Promise<PlaybackPolicy | undefined> {
  const type = given.type ?? (await pickType(context, stream));
  if (type === undefined) return undefined;
  const webhook = type === 'webhook' ? await webhookFor(context, stream, given) : undefined;
  if (type === 'webhook' && webhook === undefined) return undefined;
  const before = stream.playbackPolicy?.allowedOrigins ?? [];
  const asks = given.type === undefined && given.allowedOrigins === undefined;
  const allowedOrigins = asks ? await askOrigins(context, stream, before) : (given.allowedOrigins ?? before);
  return allowedOrigins && { type, webhookId: webhook?.id, allowedOrigins };
}

export function notAPolicy(): Refusal {
  return new Refusal(t('The playback policy must be "public", "jwt", or "webhook".'));
}

/** The name of a policy that can be set, as the picker has it. */
export function policyLabel(type: string): string {
  if (type === 'jwt') return t('Signed Token');
  return type === 'webhook' ? t('Webhook') : t('Public');
}

function givenType(given: unknown): PolicyType | undefined {
  const type = givenField(given, 'type');
  if (type === undefined) return undefined;
  const known = TYPES.find((each) => each === type);
  if (known === undefined) throw notAPolicy();
  return known;
}

function givenOrigins(given: unknown): readonly string[] | undefined {
  const origins = givenField(given, 'allowedOrigins');
  if (origins === undefined) return undefined;
  const read = readOrigins(Array.isArray(origins) ? origins : [origins]);
  if (!read.ok) throw new Refusal(notAnOrigin(read.text));
  return read.origins;
}

async function pickType({ ui }: CommandContext, stream: PolicyStream): Promise<PolicyType | undefined> {
  const { name, id, playbackPolicy } = stream;
  const item = (value: PolicyType, detail: string) => {
    return { label: policyLabel(value), detail, icon: playbackPolicy?.type === value ? 'check' : 'blank', value };
  };
  return ui.pick<PolicyType>({
    title: t('Set Playback Policy'),
    placeholder: t('Select who can watch "{0}"', nameOf({ id, name })),
    items: [
      item('public', t('Anyone can watch.')),
      item('jwt', t('Only viewers with a token signed with one of your signing keys can watch.')),
      item('webhook', t('The service asks one of your webhooks about each viewer.')),
    ],
  });
}

/** Throws a Refusal if it is gone. */
async function webhookFor(context: CommandContext, { playbackPolicy }: PolicyStream, given: GivenPolicy) {
  const title = t('Set Playback Policy');
  if (given.webhookId !== undefined) return resolveWebhook(context, { id: given.webhookId }, title);
  // The one that is in force, unless the command asks.
  const { webhookId } = playbackPolicy ?? {};
  if (given.type !== undefined && webhookId !== undefined) return findWebhook(context, webhookId);
  // What was loaded before may be old: it is polled only while the view is shown.
  await context.webhooks.refresh();
  return resolveWebhook(context, undefined, title);
}

async function askOrigins(
  { ui }: CommandContext,
  stream: PolicyStream,
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
