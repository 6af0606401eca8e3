import { t } from '@vscode/l10n';
import type { Session } from '../../api/types.ts';
import { WEBHOOK_EVENTS, type Webhook } from '../../api/webhooks.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import type { EventSubject } from '../../model/webhooks/envelope.ts';
import { checkLocalUrl, handlerOf, isLocalUrlError } from '../../model/webhooks/localUrl.ts';
import type { ListenRequest } from '../../model/webhooks/state.ts';
import { isWebhookNode } from '../../model/webhooks/webhookNodes.ts';
import { copySecretLabel, editWebhookLabel, enterSecretLabel, withoutDots } from '../../texts/lateLabels.ts';
import { explainLocalUrl } from '../../texts/localUrls.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { requireId } from '../../texts/refusals.ts';
import { localUrlText, unansweredText, urlHost } from '../../texts/webhooks.ts';
import { isRecord } from '../../util/isRecord.ts';
import { parseJson } from '../../util/parseJson.ts';
import type { CommandContext, MessageAction } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { resolveOneSession } from '../targets/sessionTargets.ts';
import { resolveOneStream } from '../targets/streamTargets.ts';
import { targetOfId } from '../targets/targetOfId.ts';
import { reportSent } from './deliveryCommands.ts';
import { askLocalUrl, withUrlRefusals } from './localUrlBox.ts';
import { eventRow } from './webhookForm.ts';
import { findWebhook, givenWebhookId, pickSecretSource } from './webhookTargets.ts';

const SECRET_OFFERED = 'webhooks.secretOffered';

/**
 * Sends future events to a URL of this computer, as the service would. Takes the row of a webhook, whose secret then
 * signs them, or {url, events?, webhookId?}; asks for the URL.
 */
export async function listenForEvents(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const [given] = args;
  const sent = await givenEvents(context, given);
  const url = await askLocalUrl(context, givenText(given, 'url'), withoutDots(t('Listen for Webhook Events…')));
  if (url !== undefined) await start(context, { ...sent, url });
}

/** For the row that says that nothing is listening, only the URL changes. */
async function givenEvents(context: CommandContext, given: unknown): Promise<Omit<ListenRequest, 'url'>> {
  const { listening } = context.eventListener;
  if (isWebhookNode(given) && given.kind === 'webhookEnd' && listening !== undefined) {
    const { events, webhookId, streamId } = listening;
    return { events, webhookId, streamId };
  }
  const webhook = await givenWebhook(context, given);
  return { events: readEvents(given) ?? webhook?.events, webhookId: webhook?.id, streamId: webhook?.streamId };
}

/** If another window listens at the URL, says so and offers to continue. */
async function start(context: CommandContext, request: ListenRequest): Promise<void> {
  try {
    await context.eventListener.start(request);
  } catch (error) {
    if (!isLocalUrlError(error)) throw error;
    const goOn: MessageAction = {
      label: t('Listen Anyway'),
      run: () => start(context, { ...request, isShared: true }),
    };
    const actions = error.reason === 'inUse' ? [goOn] : [];
    throw new Refusal<MessageAction>(explainLocalUrl(error.reason), { actions });
  }
  context.noteStep('webhooks');
  const where = localUrlText(request.url);
  const stop: MessageAction = { label: t('Stop Listening'), command: 'stopListening' };
  const isUnanswered = context.eventListener.listening?.isUnanswered === true;
  // A row of the view says and offers the same for as long as this lasts.
  const isWarned = isUnanswered && !context.isWebhooksViewVisible();
  if (isWarned) {
    const sentence = unansweredText(urlHost(request.url));
    const { events, webhookId } = request;
    const change = { label: t('Change URL…'), command: 'listenForEvents', args: [{ events, webhookId }] } as const;
    context.showMessage({ severity: 'warning', sentence, actions: [change, stop] });
  } else if (!isUnanswered) flashDone(context, t('Sending events to {0}', where));
  const webhook = context.webhooks.findAt(handlerOf(request.url));
  if (webhook === undefined) return isWarned ? undefined : offerSecret(context);
  const sentence = t('The webhook "{0}" also delivers to this URL, so events can arrive twice.', nameOf(webhook));
  context.showMessage({ severity: 'info', sentence, actions: [stop] });
}

/** Offers the secret, which the handler needs, once in each folder. */
async function offerSecret({ workspace, showMessage, log }: CommandContext): Promise<void> {
  if (workspace.get(SECRET_OFFERED) === true) return;
  const sentence = t(
    "Events from this computer are signed with this folder's secret. Your handler needs it to verify them.",
  );
  const copy: MessageAction = { label: copySecretLabel(), command: 'copyWebhookSecret', args: [{ id: '' }] };
  const test: MessageAction = { label: t('Send Test Event'), command: 'sendTestEvent' };
  showMessage({ severity: 'info', sentence, actions: [copy, test] });
  await workspace.set(SECRET_OFFERED, true).catch((error: unknown) => {
    log.error("Couldn't save that the folder's secret was offered", error);
  });
}

async function givenWebhook(context: CommandContext, given: unknown): Promise<Webhook | undefined> {
  const isOne = isWebhookNode(given) || typeof given === 'string';
  const id = isOne ? givenWebhookId(given) : givenField(given, 'webhookId');
  return id === undefined ? undefined : findWebhook(context, requireId(id));
}

function readEvents(given: unknown): readonly string[] | undefined {
  const events = givenField(given, 'events');
  if (!Array.isArray(events)) return undefined;
  return events.filter((event) => typeof event === 'string');
}

export function stopListening({ eventListener, ui }: CommandContext): void {
  const { listening } = eventListener;
  if (listening === undefined) throw new Refusal(t("You aren't listening for webhook events."), { severity: 'info' });
  eventListener.stop();
  ui.flash(t('Stopped listening for events'));
}

/**
 * Sends one event to a URL of this computer. Takes {event, id?, url?}, where the ID is that of the event's stream or
 * session, or the row or ID of a webhook, whose secret then signs the event; asks for what is missing.
 */
export async function sendTestEvent(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const [row] = args;
  const isOfWebhook = isWebhookNode(row) || typeof row === 'string';
  const given = isOfWebhook ? undefined : row;
  const title = t('Send Webhook Test Event');
  const webhook = isOfWebhook ? await givenWebhook(context, row) : undefined;
  const givenEvent = givenText(given, 'event');
  const picked =
    givenEvent === undefined ? await pickTestEvent(context, title, webhook?.events) : { event: givenEvent };
  if (picked === undefined) return;
  const { event, isEdited = false } = picked;
  const id = givenField(given, 'id');
  const subject = await (id === undefined ? pickSubject(context, event, title) : subjectOfId(context, requireId(id)));
  if (subject === undefined) return;
  if (isEdited) return context.ui.editText(`${event}.event.json`, context.eventListener.makeBody(event, subject));
  const url = givenText(given, 'url') ?? (webhook && localUrlOf(webhook));
  await send(context, { event, subject, webhookId: webhook?.id }, url);
}

function localUrlOf(webhook: Webhook): string | undefined {
  const checked = checkLocalUrl(webhook.url);
  return 'url' in checked ? checked.url : undefined;
}

export async function sendEditedEvent(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const body = context.editor()?.read().text;
  if (body === undefined) throw new Refusal(t('Open the event in an editor first.'));
  const parsed = parseJson(body);
  if (parsed === undefined) throw new Refusal(t("The event isn't valid JSON."));
  const event = isRecord(parsed) ? parsed.event : undefined;
  if (typeof event !== 'string') throw new Refusal(t('The event must be a JSON object with an "event" property.'));
  await send(context, { event, body }, givenText(args[0], 'url'));
}

interface TestEvent {
  readonly event: string;
  /** Whether it's opened in an editor instead of being sent. */
  readonly isEdited?: boolean;
}

type Sent = { readonly event: string; readonly webhookId?: string | undefined } & (
  | { readonly subject: EventSubject }
  | { readonly body: string }
);

/** Asks for a URL only if none is known. */
async function send(context: CommandContext, event: Sent, given: string | undefined): Promise<void> {
  const { eventListener } = context;
  const url = await askLocalUrl(
    context,
    given ?? eventListener.listening?.url ?? eventListener.lastUrl,
    t('Send Webhook Test Event'),
  );
  if (url === undefined) return;
  const sent = await withUrlRefusals(() => eventListener.send({ ...event, url }));
  reportSent(context, sent, t('Sent {0} to {1}', sent.event, localUrlText(url)));
}

function pickTestEvent(
  { ui }: CommandContext,
  title: string,
  events: readonly string[] = WEBHOOK_EVENTS,
): Promise<TestEvent | undefined> {
  const items = events.map((event) => ({
    ...eventRow(event),
    value: { event },
    buttons: [{ icon: 'edit', tooltip: t('Edit as JSON First'), value: { event, isEdited: true } }],
  }));
  return ui.pick<TestEvent>({ title, placeholder: t('Select an event'), items, matchOnDescription: true });
}

/** Picks the stream that an event is about. Recordings are of sessions. */
async function pickSubject(context: CommandContext, event: string, title: string): Promise<EventSubject | undefined> {
  if (event.startsWith('recording.')) {
    const session = await resolveOneSession(context, [], { title, purpose: 'recorded' });
    return session && subjectOfSession(context, session);
  }
  const stream = await resolveOneStream(context, [], title);
  return stream && { stream };
}

async function subjectOfId(context: CommandContext, id: string): Promise<EventSubject | undefined> {
  const { kind } = await targetOfId(context, id);
  if (kind === 'stream') {
    const stream = await resolveOneStream(context, [id], '');
    return stream && { stream };
  }
  const session = await resolveOneSession(context, [id], { title: '' });
  return session && subjectOfSession(context, session);
}

async function subjectOfSession({ store, connection }: CommandContext, session: Session): Promise<EventSubject> {
  const { parentId, parentName = '' } = session;
  if (parentId === undefined) return { stream: { id: '', name: parentName }, session };
  const stream = store.snapshot.streams.get(parentId)?.stream ?? (await connection.account.readStream(parentId));
  return { stream: stream ?? { id: parentId, name: parentName }, session };
}

/**
 * Copies the secret that deliveries are signed with. Takes the row of a webhook, an ID or {id}. '' or the row of this
 * computer means the secret that signs this window's events. Shows a picker otherwise.
 */
export async function copyWebhookSecret(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const { ui, webhookSecrets, eventListener } = context;
  const { id: connectionId } = openConnectionInfo(context);
  const webhookId = await secretSource(context, args[0]);
  if (webhookId === undefined) return;
  const signer = webhookId === '' ? await eventListener.readSigner() : { webhookId, secret: undefined };
  const secret = signer.secret ?? (await webhookSecrets.of(connectionId, webhookId));
  if (secret === undefined) throw await unknownSecret(context, webhookId);
  await ui.copy(secret);
  const { items } = context.webhooks.state.webhooks;
  const webhook = items.find(({ id }) => id === signer.webhookId);
  const done = webhook === undefined ? undefined : t('Copied the secret for the webhook "{0}"', nameOf(webhook));
  flashDone(context, done ?? t("Copied this folder's secret"));
}

/** Returns the ID of a webhook, or '' for this computer; undefined if dismissed. */
async function secretSource(context: CommandContext, given: unknown): Promise<string | undefined> {
  const isHere = isWebhookNode(given) ? given.kind === 'thisComputer' : given === '' || givenField(given, 'id') === '';
  return isHere ? '' : (givenWebhookId(given) ?? pickSecretSource(context, t('Copy Webhook Secret')));
}

/** Offers to enter the secret if there is a delivery to check it with. */
async function unknownSecret(context: CommandContext, webhookId: string): Promise<Refusal<MessageAction>> {
  const name = nameOf(await findWebhook(context, webhookId));
  await context.webhooks.openDeliveries(webhookId);
  const deliveryId = context.webhooks.state.deliveries.get(webhookId)?.items[0]?.id;
  const edit: MessageAction = { label: editWebhookLabel(), command: 'editWebhook', args: [{ id: webhookId }] };
  if (deliveryId === undefined) {
    const sentence = t(
      'The secret for "{0}" is unknown because it was set elsewhere. To get a secret that you can copy, edit the webhook and set a new one.',
      name,
    );
    return new Refusal(sentence, { severity: 'info', actions: [edit] });
  }
  const sentence = t(
    'The secret for "{0}" is unknown because it was set elsewhere. Enter the secret that your handler uses, or edit the webhook to set a new one.',
    name,
  );
  const enter: MessageAction = {
    label: enterSecretLabel(),
    command: 'editWebhook',
    args: [{ id: webhookId, deliveryId }],
  };
  return new Refusal(sentence, { severity: 'info', actions: [enter, edit] });
}
