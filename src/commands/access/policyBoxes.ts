import { t } from '@vscode/l10n';
import type { PlaybackPolicy, Stream } from '../../api/types.ts';
import { currentWord } from '../../texts/labels.ts';
import { createSigningKeyLabel, setPlaybackPolicyLabel, withoutDots } from '../../texts/lateLabels.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { type Asked, askInSteps, askPick, askText, BACK, orBack, type StepBox } from '../boxSteps.ts';
import type { CommandContext } from '../context.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { pickWebhook, resolveWebhook } from '../webhooks/webhookTargets.ts';
import { createSigningKey, lacksSigningKey, signingKeyNameBox } from './signingKeyCommands.ts';

const TYPES = ['public', 'jwt', 'webhook'] as const;

type PolicyType = (typeof TYPES)[number];

type PolicyStream = Pick<Stream, 'id' | 'name' | 'playbackPolicy'>;

/** The policy given as arguments, validated. */
export interface GivenPolicy {
  readonly type: PolicyType | undefined;
  readonly webhookId: string | undefined;
  readonly allowedOrigins: readonly string[] | undefined;
}

/** Reads {type?, webhookId?, allowedOrigins?}. Throws a Refusal if they aren't a valid policy. */
export function givenPolicy(given: unknown): GivenPolicy {
  return { type: givenType(given), webhookId: givenText(given, 'webhookId'), allowedOrigins: givenOrigins(given) };
}

export interface CompletePolicy {
  readonly policy: PlaybackPolicy;
  /** The name of the signing key to create with it. */
  readonly keyName: string | undefined;
}

/** Creates the signing key for a policy: without one, nobody could watch the stream. Returns whether to continue. */
export async function createWantedKey(context: CommandContext, { keyName }: CompletePolicy): Promise<boolean> {
  return keyName === undefined || createSigningKey(context, { name: keyName });
}

/**
 * Asks for what isn't given; with a type, for nothing but a missing webhook. Returns undefined if dismissed. Throws
 * a Refusal if the webhook is gone.
 */
export async function completePolicy(
  context: CommandContext,
  stream: PolicyStream,
  given: GivenPolicy,
): Promise<CompletePolicy | undefined> {
  const answer = await completeOrBack(context, stream, {
    given,
    title: withoutDots(setPlaybackPolicyLabel()),
    canGoBack: false,
  });
  return answer === BACK ? undefined : answer;
}

/**
 * Asks for a policy within another command. Returns undefined if dismissed, or if Back leads from the first box to the
 * command. Throws a Refusal if there are no webhooks.
 */
export async function askPolicy(
  context: CommandContext,
  stream: PolicyStream,
  title: string,
): Promise<CompletePolicy | undefined> {
  const answer = await completeOrBack(context, stream, { given: givenPolicy(undefined), title, canGoBack: true });
  return answer === BACK ? undefined : answer;
}

interface PolicyBoxes {
  readonly given: GivenPolicy;
  readonly title: string;
  readonly canGoBack: boolean;
}

async function completeOrBack(context: CommandContext, stream: PolicyStream, { given, ...boxes }: PolicyBoxes) {
  const { playbackPolicy: current } = stream;
  const before = given.allowedOrigins ?? current?.allowedOrigins ?? [];
  const draft: Draft = { type: given.type, webhookId: given.webhookId, origins: before, isKeyMissing: false };
  // The current webhook, unless the command asks for one.
  if (given.type !== undefined) draft.webhookId ??= current?.webhookId;
  const isWebhookKnown = draft.webhookId !== undefined;
  const parts = (): readonly Part[] => [
    ...(given.type === undefined ? (['type'] as const) : []),
    ...(draft.type === 'webhook' && !isWebhookKnown ? (['webhook'] as const) : []),
    ...(given.type === undefined && given.allowedOrigins === undefined ? (['origins'] as const) : []),
    ...(draft.isKeyMissing ? keyParts(draft) : []),
  ];
  const asked = await askInSteps({ ...boxes, parts }, (part, box) => ASKS[part](context, draft, { ...box, stream }));
  if (asked !== 'done') return asked;
  const { type, webhookId, origins: allowedOrigins } = draft;
  if (type === undefined) throw notAPolicy();
  const webhook = type === 'webhook' ? await resolveWebhook(context, { id: webhookId }, boxes.title) : undefined;
  const keyName = parts().includes('keyName') ? draft.keyName : undefined;
  return { policy: { type, webhookId: webhook?.id, allowedOrigins }, keyName };
}

/** The user's input so far. Going back keeps it. */
interface Draft {
  type: PolicyType | undefined;
  webhookId: string | undefined;
  origins: readonly string[];
  /** Whether tokens are required but can't be signed. */
  isKeyMissing: boolean;
  key?: 'create' | 'none';
  keyName?: string;
}

type Part = 'type' | 'webhook' | 'origins' | 'key' | 'keyName';

function keyParts({ key }: Draft): readonly Part[] {
  return key === 'create' ? ['key', 'keyName'] : ['key'];
}

type Ask = (context: CommandContext, draft: Draft, box: StepBox & { readonly stream: PolicyStream }) => Promise<Asked>;

export function notAPolicy(): Refusal {
  return new Refusal(t('The playback policy must be "public", "jwt", or "webhook".'));
}

/** Returns the picker's label for a policy that can be set. */
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

const ASKS: Readonly<Record<Part, Ask>> = {
  async type(context, draft, box) {
    const { name, id, playbackPolicy } = box.stream;
    // Services without policies report none for a stream that everyone can watch.
    const current = draft.type ?? TYPES.find((type) => type === (playbackPolicy?.type ?? 'public'));
    const item = (value: PolicyType, detail: string) => {
      // An icon would indent the label but not the detail.
      return { label: policyLabel(value), description: current === value ? currentWord() : undefined, detail, value };
    };
    // Livepeer Studio plays them to anyone.
    const recordings = t('Recordings may still be public.');
    const type = await askPick<PolicyType>(context.ui, box, {
      placeholder: t('Select who can watch "{0}"', nameOf({ id, name })),
      highlighted: current,
      items: [
        item('public', t('Anyone can watch.')),
        item('jwt', `${t('Only viewers with a token signed with one of your signing keys can watch.')} ${recordings}`),
        item('webhook', `${t('A webhook decides who can watch.')} ${recordings}`),
      ],
    });
    if (type === undefined || type === BACK) return type;
    draft.type = type;
    draft.isKeyMissing = type === 'jwt' && (await lacksSigningKey(context));
    return 'done';
  },
  async webhook(context, draft, { title, canGoBack }) {
    // The loaded list may be old: it's polled only while the view is shown.
    await context.webhooks.refresh();
    const webhook = await orBack((back) => pickWebhook(context, { title, back: canGoBack ? back : undefined }));
    if (webhook === undefined || webhook === BACK) return webhook;
    draft.webhookId = webhook.id;
    return 'done';
  },
  origins({ ui }, draft, box) {
    const split = (text: string) => text.split(/[\s,]+/).filter((each) => each !== '');
    const options = {
      prompt: t(
        'Enter the origins of the websites where "{0}" can be played, separated by spaces, or leave the box empty to allow all',
        nameOf(box.stream),
      ),
      placeholder: 'https://www.example.com https://example.com',
      value: draft.origins.join(' '),
      validate: (typed: string) => {
        const read = readOrigins(split(typed));
        return read.ok ? undefined : notAnOrigin(read.text);
      },
    };
    return askText(ui, box, options, (text) => {
      const read = readOrigins(split(text));
      draft.origins = read.ok ? read.origins : split(text);
    });
  },
  async key({ ui }, draft, box) {
    const key = await askPick<'create' | 'none'>(ui, box, {
      placeholder: t('"{0}" needs a signing key, and your account has none', nameOf(box.stream)),
      highlighted: draft.key,
      items: [
        {
          label: createSigningKeyLabel(),
          detail: t('Its private key is stored on this computer and used to play private streams.'),
          icon: 'add',
          value: 'create',
        },
        {
          label: t('Continue Without a Key'),
          detail: t('No one can watch the live stream until your account has a signing key.'),
          icon: 'circle-slash',
          value: 'none',
        },
      ],
    });
    if (key === undefined || key === BACK) return key;
    draft.key = key;
    return 'done';
  },
  keyName({ ui }, draft, box) {
    const { value, ...options } = signingKeyNameBox();
    return askText(ui, box, { ...options, value: draft.keyName ?? value }, (text) => {
      draft.keyName = text;
    });
  },
};

type ReadOrigins =
  | { readonly ok: true; readonly origins: readonly string[] }
  | { readonly ok: false; readonly text: string };

/** The service accepts "<scheme>://<host>:<port>", without a trailing slash, and "*" (src/api/README.md, Access). */
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
  return t('"{0}" isn\'t a valid origin. Enter one like https://example.com.', text);
}
