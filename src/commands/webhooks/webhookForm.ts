import { randomBytes } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { NamedStream } from '../../api/types.ts';
import { WEBHOOK_EVENTS, type WebhookForm } from '../../api/webhooks.ts';
import { checkWebhookUrl, type WebhookReach, webhookReachOf } from '../../model/webhooks/webhookUrl.ts';
import type { BoxProblem, PickItem } from '../../services.ts';
import { enterSecretLabel, nameLabel, streamLabel } from '../../texts/lateLabels.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { describeEvent, plainUrl, webhookUrlFaultText } from '../../texts/webhooks.ts';
import { type Asked, askInSteps, askPick, askText, BACK, orBack, type StepBox } from '../boxSteps.ts';
import { sentenceOfName } from '../changes/streamName.ts';
import type { CommandContext } from '../context.ts';
import { pickStream } from '../targets/pickStream.ts';
import { problemOfSecret } from './secretBox.ts';

/** The user's input so far. Going back keeps it. */
export interface WebhookDraft {
  name?: string | undefined;
  url?: string | undefined;
  events?: readonly string[] | undefined;
  /** undefined for all streams. */
  stream?: NamedStream | undefined;
  /** undefined leaves it as it is. */
  secret?: string | undefined;
  isSecretEntered?: boolean;
}

type AskStep = (context: CommandContext, draft: WebhookDraft, asking: StepBox) => Promise<Asked>;

export type FormPart = 'name' | 'url' | 'events' | 'stream' | 'secret';

const STEPS: Readonly<Record<FormPart, AskStep>> = {
  name: askName,
  url: askUrl,
  events: askEvents,
  stream: askStreams,
  secret: askSecret,
};

/** Shows a box for each part, with Back from the second one on. Returns false if one was dismissed. */
export async function askForParts(
  context: CommandContext,
  draft: WebhookDraft,
  options: { readonly title: string; readonly parts: readonly FormPart[] },
): Promise<boolean> {
  return (await askInSteps(options, (part, box) => STEPS[part](context, draft, box))) === 'done';
}

/**
 * Asks for the name and URL, then shows all parts until the user creates the webhook. Returns false if one of the boxes
 * was dismissed.
 * @param problem why the service rejected the previous input, shown in the box for the URL
 */
export async function askForNewWebhook(
  context: CommandContext,
  draft: WebhookDraft,
  { title, problem }: { readonly title: string; readonly problem: string | undefined },
): Promise<boolean> {
  const list: PartsList = {
    placeholder: () => t('Create the webhook, or change its settings first'),
    first: ({ name }) => [
      { label: t('Create'), description: name, icon: 'add', value: 'save' },
      { label: t('Settings'), isSeparator: true },
    ],
  };
  const isEntered = draft.name !== undefined && draft.url !== undefined;
  const from = problem !== undefined ? 1 : isEntered ? 2 : 0;
  const steps = { title, parts: ['name', 'url', 'all'] as const, from };
  const asked = await askInSteps(steps, (part, box) => {
    if (part === 'all') return askForAll(context, draft, box, list);
    return part === 'url' ? askUrl(context, draft, box, problem) : STEPS[part](context, draft, box);
  });
  return asked === 'done';
}

/** Shows the parts until the user saves them. Returns false if dismissed. */
export async function askForChange(
  context: CommandContext,
  draft: WebhookDraft,
  { title, isChanged }: { readonly title: string; readonly isChanged: () => boolean },
): Promise<boolean> {
  const list: PartsList = {
    placeholder: () => (isChanged() ? t('Save the webhook, or make more changes') : t('Select what to change')),
    first: ({ name }) =>
      isChanged()
        ? [
            { label: t('Save'), description: name, icon: 'save', value: 'save' },
            { label: '', isSeparator: true },
          ]
        : [],
  };
  return (await askForAll(context, draft, { title, step: undefined, canGoBack: false }, list)) === 'done';
}

interface PartsList {
  placeholder(): string;
  /** Returns the rows in front of the parts. */
  first(draft: WebhookDraft): readonly PickItem<'save'>[];
}

/** Each part is changed in a box of its own. Going back from that, or dismissing it, leaves the part as it was. */
async function askForAll(
  context: CommandContext,
  draft: WebhookDraft,
  asking: StepBox,
  { placeholder, first }: PartsList,
): Promise<Asked> {
  for (;;) {
    const items = [...first(draft), ...partsOf(draft)];
    const chosen = await askPick<FormPart | 'save'>(context.ui, asking, { placeholder: placeholder(), items });
    if (chosen === undefined || chosen === BACK) return chosen;
    if (chosen === 'save') return 'done';
    const changed = { ...draft };
    const asked = await STEPS[chosen](context, changed, { title: asking.title, step: undefined, canGoBack: true });
    if (asked === 'done') Object.assign(draft, changed);
  }
}

function partsOf(draft: WebhookDraft): readonly PickItem<FormPart>[] {
  const { name, url = '', events = [], stream, secret } = draft;
  const streamName = stream === undefined ? t('All Streams') : nameOf(stream);
  const newSecret = draft.isSecretEntered === true ? t('Entered') : t('Generated');
  return [
    { label: nameLabel(), description: name, icon: 'tag', value: 'name' },
    { label: t('URL'), description: plainUrl(url), icon: 'link', value: 'url' },
    { label: t('Events'), description: events.join(', '), icon: 'bell', value: 'events' },
    { label: streamLabel(), description: streamName, icon: 'broadcast', value: 'stream' },
    { label: t('Secret'), description: secret === undefined ? undefined : newSecret, icon: 'key', value: 'secret' },
  ];
}

export function makeSecret(): string {
  return randomBytes(32).toString('hex');
}

async function askName({ ui }: CommandContext, draft: WebhookDraft, asking: StepBox): Promise<Asked> {
  return askText(
    ui,
    asking,
    { prompt: t('Enter a name for the webhook'), value: draft.name ?? '', validate: sentenceOfName },
    (name) => {
      draft.name = name.trim();
    },
  );
}

async function askUrl(context: CommandContext, draft: WebhookDraft, asking: StepBox, problem?: string): Promise<Asked> {
  const options = {
    ...(problem !== undefined && { problem: { sentence: problem, links: [] } }),
    prompt: t('Enter the URL that receives the events'),
    placeholder: 'https://example.com/webhook',
    value: draft.url ?? '',
    check: (text: string) => ({ prompt: t('Checking the URL…'), run: async () => problemOfUrl(context, text) }),
  };
  return askText(context.ui, asking, options, (text) => {
    const checked = checkWebhookUrl(text, reachOf(context.connection));
    draft.url = 'url' in checked ? checked.url : text.trim();
  });
}

/** Returns why the service couldn't deliver to a URL, with an alternative; undefined if it could. */
function problemOfUrl({ connection, runCommand }: CommandContext, text: string): BoxProblem | undefined {
  const checked = checkWebhookUrl(text, reachOf(connection));
  if (!('fault' in checked)) return undefined;
  const listen = {
    label: listenLabel(),
    run: (url: string) => {
      void runCommand('listenForEvents', { url: url.trim() });
      return 'leave' as const;
    },
  };
  return { sentence: webhookUrlFaultText(checked.fault), links: checked.fault === 'local' ? [listen] : [] };
}

/** Throws a Refusal with an alternative if the service couldn't deliver to the URL. */
export function requireWebhookUrl({ connection }: CommandContext, text: string): string {
  const checked = checkWebhookUrl(text, reachOf(connection));
  if (!('fault' in checked)) return checked.url;
  const url = text.trim();
  throw new Refusal(webhookUrlFaultText(checked.fault), {
    actions: checked.fault === 'local' ? [{ label: listenLabel(), command: 'listenForEvents', args: [{ url }] }] : [],
  });
}

function reachOf({ info }: CommandContext['connection']): WebhookReach {
  return info === undefined ? 'public' : webhookReachOf(info);
}

function listenLabel(): string {
  return t('Listen for Webhook Events…');
}

/** The events that most handlers need. */
export const USUAL_EVENTS: readonly string[] = ['stream.started', 'stream.idle', 'recording.ready'];

/** Returns an event's row in a picker, which says when it's sent. */
export function eventRow(event: string): { readonly label: string; readonly description: string | undefined } {
  return { label: event, description: describeEvent(event) };
}

async function askEvents({ ui, showMessage }: CommandContext, draft: WebhookDraft, asking: StepBox): Promise<Asked> {
  const { title, step, canGoBack } = asking;
  const picked = draft.events ?? USUAL_EVENTS;
  const others = picked.filter((event) => !WEBHOOK_EVENTS.some((known) => known === event));
  const items = [...WEBHOOK_EVENTS, ...others].map((event) => ({
    ...eventRow(event),
    isPicked: picked.includes(event),
    value: event as string,
  }));
  let placeholder = t('Select the events to receive');
  for (;;) {
    const options = { title, placeholder, items, step };
    const events = await (canGoBack ? orBack((back) => ui.pickMany({ ...options, back })) : ui.pickMany(options));
    if (events === undefined || events === BACK) return events;
    draft.events = events;
    // Without events, nothing is ever delivered.
    if (events.length > 0) return 'done';
    placeholder = t('Select at least one event.');
    // A picker can show an error only as its gray placeholder.
    showMessage({ severity: 'warning', sentence: placeholder, actions: [] });
  }
}

async function askStreams(context: CommandContext, draft: WebhookDraft, asking: StepBox): Promise<Asked> {
  const { title } = asking;
  const { stream } = draft;
  const chosen: PickItem<'all' | 'chosen' | 'other'>[] =
    stream === undefined ? [] : [{ label: nameOf(stream), icon: 'check', value: 'chosen' }];
  const items: PickItem<'all' | 'chosen' | 'other'>[] = [
    { label: t('All Streams'), icon: stream === undefined ? 'check' : 'blank', value: 'all' },
    ...chosen,
    { label: t('Select Stream…'), icon: 'blank', value: 'other' },
  ];
  for (;;) {
    const answer = await askPick(context.ui, asking, {
      placeholder: t('Select the streams to receive events from'),
      items,
    });
    if (answer === undefined || answer === BACK) return answer;
    if (answer === 'chosen') return 'done';
    const other = answer === 'other' ? await pickStream(context, title) : undefined;
    if (answer === 'other' && other === undefined) continue;
    draft.stream = other;
    return 'done';
  }
}

async function askSecret({ ui }: CommandContext, draft: WebhookDraft, asking: StepBox): Promise<Asked> {
  const items: PickItem<'make' | 'own'>[] = [
    { label: t('Generate a Secret'), icon: 'refresh', value: 'make' },
    { label: enterSecretLabel(), icon: 'key', value: 'own' },
  ];
  const placeholder = t('Your handler uses the secret to verify that events come from the service');
  for (;;) {
    const answer = await askPick(ui, asking, { placeholder, items });
    if (answer === undefined || answer === BACK) return answer;
    if (answer === 'own') {
      const secret = await ui.input({
        title: asking.title,
        prompt: t('Enter the secret'),
        isPassword: true,
        validate: problemOfSecret,
      });
      if (secret === undefined) continue;
      Object.assign(draft, { secret: secret.trim(), isSecretEntered: true });
    } else Object.assign(draft, { secret: makeSecret(), isSecretEntered: false });
    return 'done';
  }
}

/** Throws if a part is missing, which is a bug. */
export function toForm({ name, url, events, stream, secret }: WebhookDraft): WebhookForm {
  if (name === undefined || url === undefined || events === undefined)
    throw new Error('A part of the webhook is missing');
  return { name, url, events, streamId: stream?.id, sharedSecret: secret };
}
