import { t } from '@vscode/l10n';
import { isApiError } from '../../api/errors.ts';
import type { DeliveryFilter, Webhook, WebhookForm } from '../../api/webhooks.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import type { PickItem } from '../../services.ts';
import { deleteLabel } from '../../texts/actions.ts';
import { copySecretLabel, editWebhookLabel, withoutDots } from '../../texts/lateLabels.ts';
import { nameOf, withNote } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { requireId, switchedConnections } from '../../texts/refusals.ts';
import { isSameJson } from '../../util/sameJson.ts';
import { sentenceOfName } from '../changes/streamName.ts';
import type { CommandContext, MessageAction } from '../context.ts';
import { orEdited } from '../editedAgain.ts';
import { flashDone } from '../flashDone.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { pickStream } from '../targets/pickStream.ts';
import { confirmNewSecret, enterKnownSecret } from './secretBox.ts';
import {
  askForChange,
  askForNewWebhook,
  askForParts,
  eventRow,
  makeSecret,
  requireWebhookUrl,
  toForm,
  USUAL_EVENTS,
  type WebhookDraft,
} from './webhookForm.ts';
import { givenWebhookId, resolveOnlyWebhook, resolveWebhook } from './webhookTargets.ts';

const REQUIRED = ['name', 'url', 'events'] as const;

/**
 * Creates a webhook. Takes {name, url, events, streamId?, secret?}, and asks for what is missing. If a name, a URL,
 * and events are given, it asks for nothing. The secret is generated, unless it's given or entered.
 */
export async function createWebhook(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const given = readGiven(context, args[0]);
  const draft: WebhookDraft = { ...given, secret: given.secret ?? makeSecret() };
  const missing = REQUIRED.filter((part) => draft[part] === undefined);
  if (missing.length === REQUIRED.length) return createInBoxes(context, { ...draft, events: USUAL_EVENTS });
  if (missing.length > 0 && !(await askForParts(context, draft, { title: createTitle(), parts: missing }))) return;
  await create(context, draft);
}

function createTitle(): string {
  return withoutDots(t('Create Webhook…'));
}

/** @param problem why the service rejected the previous input */
async function createInBoxes(context: CommandContext, draft: WebhookDraft, problem?: string): Promise<void> {
  const { account } = context.connection;
  if (!(await askForNewWebhook(context, draft, { title: createTitle(), problem }))) return;
  if (account.isClosed) throw switchedConnections();
  const again = (next: CommandContext, reason?: string) => createInBoxes(next, draft, reason);
  await orEdited(context, { send: () => create(context, draft), again });
}

async function create(context: CommandContext, draft: WebhookDraft): Promise<void> {
  const { id: connectionId } = openConnectionInfo(context);
  const webhook = await context.webhooks.create(toForm(draft));
  await keepSecret(context, { connectionId, webhook, secret: draft.secret });
  await context.revealWebhook(webhook.id).catch((error: unknown) => {
    context.log.error("The new webhook's row couldn't be revealed", error);
  });
  const copy: MessageAction = { label: copySecretLabel(), command: 'copyWebhookSecret', args: [{ id: webhook.id }] };
  const sentence = t(
    'The webhook "{0}" was created. Your handler needs the webhook\'s secret to verify signatures.',
    nameOf(webhook),
  );
  context.showMessage({ severity: 'info', sentence, actions: [copy] });
}

/**
 * Changes a webhook. Takes a row or {id, name?, url?, events?, streamId?, secret?}; without any of these, asks for
 * them. A streamId of null means all streams. With {id, deliveryId}, the webhook stays as it is: asks for the secret
 * that signed the delivery.
 */
export async function editWebhook(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const [id, deliveryId] = [givenWebhookId(args[0]), givenField(args[0], 'deliveryId')];
  if (id !== undefined && deliveryId !== undefined) return enterKnownSecret(context, id, requireId(deliveryId));
  const webhook = await resolveWebhook(context, args[0], editTitle());
  if (webhook === undefined) return;
  const form = givenChanges(context, args[0]);
  if (form === undefined) await editInBoxes(context, webhook, draftOf(context, webhook));
  else if (await isConfirmed(context, webhook, form)) await save(context, webhook, form);
}

async function isConfirmed(context: CommandContext, webhook: Webhook, form: Partial<WebhookForm>): Promise<boolean> {
  return form.sharedSecret === undefined || confirmNewSecret(context, webhook);
}

function editTitle(): string {
  return withoutDots(editWebhookLabel());
}

async function save(context: CommandContext, webhook: Webhook, form: Partial<WebhookForm>): Promise<void> {
  const { id: connectionId } = openConnectionInfo(context);
  const changed = await change(context, webhook, form);
  if (form.sharedSecret !== undefined)
    await keepSecret(context, { connectionId, webhook: changed, secret: form.sharedSecret });
  flashDone(context, t('Updated the webhook "{0}"', nameOf(changed)));
}

/** Sends nothing until the user saves. If that fails, the message leads back to the input. */
async function editInBoxes(context: CommandContext, webhook: Webhook, draft: WebhookDraft): Promise<void> {
  const { account } = context.connection;
  const isChanged = () => Object.keys(changesOf(webhook, draft)).length > 0;
  do if (!(await askForChange(context, draft, { title: editTitle(), isChanged }))) return;
  while (!(await isConfirmed(context, webhook, changesOf(webhook, draft))));
  if (account.isClosed) throw switchedConnections();
  const again = (next: CommandContext) => editInBoxes(next, webhook, draft);
  await orEdited(context, { send: () => save(context, webhook, changesOf(webhook, draft)), again });
}

async function change({ webhooks }: CommandContext, webhook: Webhook, form: Partial<WebhookForm>): Promise<Webhook> {
  try {
    return await webhooks.change(webhook.id, form);
  } catch (error) {
    const isForAll = form.streamId === null && isApiError(error, 'rejected');
    if (!isForAll || error.why !== undefined) throw error;
    const { name, url, events } = { ...webhook, ...form };
    const create: MessageAction = {
      label: withoutDots(t('Create Webhook…')),
      command: 'createWebhook',
      args: [{ name, url, events }],
    };
    throw new Refusal(
      t("You can't change a webhook for one stream to receive events from all streams. Create a new webhook instead."),
      { actions: [create] },
    );
  }
}

/** Returns what the arguments change; undefined if they change nothing. */
function givenChanges(context: CommandContext, given: unknown): Partial<WebhookForm> | undefined {
  const isForAll = givenField(given, 'streamId') === null;
  const { name, url, events, stream, secret } = readGiven(context, given);
  const form = definedParts({ name, url, events, streamId: isForAll ? null : stream?.id, sharedSecret: secret });
  return Object.keys(form).length === 0 ? undefined : form;
}

function draftOf({ store }: CommandContext, { name, url, events, streamId }: Webhook): WebhookDraft {
  const known = streamId === undefined ? undefined : store.snapshot.streams.get(streamId)?.stream;
  return { name, url, events, stream: streamId === undefined ? undefined : (known ?? { id: streamId, name: '' }) };
}

/** Returns what differs from the webhook. */
function changesOf({ name, url, events, streamId }: Webhook, draft: WebhookDraft): Partial<WebhookForm> {
  return definedParts({
    name: draft.name === name ? undefined : draft.name,
    url: draft.url === url ? undefined : draft.url,
    events: isSameJson(draft.events, events) ? undefined : draft.events,
    streamId: draft.stream?.id === streamId ? undefined : (draft.stream?.id ?? null),
    sharedSecret: draft.secret,
  });
}

/** Deletes a webhook after a modal confirmation. Takes a row, an ID or {id}. */
export async function deleteWebhook(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  const { id: connectionId } = openConnectionInfo(context);
  const webhook = await resolveWebhook(context, args[0], t('Delete Webhook'));
  if (webhook === undefined) return;
  const name = nameOf(webhook);
  const isToBeDeleted = await context.ui.confirm({
    message: t('Delete the webhook "{0}"?', name),
    detail: t(
      "Its URL will no longer receive events, and its deliveries will no longer be listed. You can't undo this.",
    ),
    act: deleteLabel(),
  });
  if (!isToBeDeleted) return;
  await context.webhooks.delete(webhook.id);
  await context.webhookSecrets.delete(connectionId, webhook.id);
  flashDone(context, t('Deleted the webhook "{0}"', name));
}

/** The webhook works without it, so the command succeeds even if it can't be stored. */
async function keepSecret(
  { webhookSecrets, log }: CommandContext,
  {
    connectionId,
    webhook,
    secret,
  }: { readonly connectionId: string; readonly webhook: Webhook; readonly secret: string | undefined },
): Promise<void> {
  if (secret === undefined) return;
  try {
    await webhookSecrets.set(connectionId, webhook.id, secret);
  } catch (error) {
    log.error("The secret of a webhook couldn't be stored", error);
  }
}

/** Throws a Refusal for invalid arguments. */
function readGiven(context: CommandContext, given: unknown): WebhookDraft {
  const [name, url, secret] = [givenText(given, 'name'), givenText(given, 'url'), givenText(given, 'secret')];
  const problem = name === undefined ? undefined : sentenceOfName(name);
  if (problem !== undefined) throw new Refusal(problem);
  const streamId = givenField(given, 'streamId') ?? undefined;
  const id = streamId === undefined ? undefined : requireId(streamId);
  return {
    name: name?.trim(),
    url: url === undefined ? undefined : requireWebhookUrl(context, url),
    events: readEvents(givenField(given, 'events')),
    stream: id === undefined ? undefined : (context.store.snapshot.streams.get(id)?.stream ?? { id, name: '' }),
    secret: secret?.trim() || undefined,
  };
}

function readEvents(given: unknown): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const events = Array.isArray(given) ? given.filter((event) => typeof event === 'string') : [];
  if (events.length === 0) throw new Refusal(t('Specify events as a list of names, such as "stream.started".'));
  return events;
}

function definedParts(
  form: {
    readonly [K in keyof WebhookForm]?: WebhookForm[K] | undefined;
  },
): Partial<WebhookForm> {
  return Object.fromEntries(Object.entries(form).filter(([, part]) => part !== undefined));
}

/** Also reloads the streams if something is wrong with the connection, which the view says. */
export async function refreshWebhooks(context: CommandContext): Promise<void> {
  openConnectionInfo(context);
  const { store, loader, webhooks } = context;
  const { connection, trouble } = store.snapshot;
  const isFailing = connection.kind === 'refused' || trouble !== undefined;
  await Promise.all([webhooks.refresh(), isFailing ? loader.refresh() : undefined]);
}

type FilterChoice = 'failed' | 'event' | 'stream' | 'clear';

/**
 * Filters the deliveries of a webhook. Takes a row or {id, failedOnly?, event?, streamId?}; without any of these, shows
 * a picker, which changes one of them.
 */
export async function filterDeliveries(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const title = t('Filter Deliveries');
  const webhook = await resolveOnlyWebhook(context, args[0], title);
  if (webhook === undefined) return;
  const filter = givenFilter(args[0]) ?? (await pickFilter(context, webhook, withNote(title, nameOf(webhook))));
  if (filter !== undefined) await context.webhooks.setFilter(webhook.id, filter);
}

export async function clearDeliveryFilter(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const webhook = await resolveOnlyWebhook(context, args[0], t('Filter Deliveries'));
  if (webhook !== undefined) await context.webhooks.setFilter(webhook.id, {});
}

function givenFilter(given: unknown): DeliveryFilter | undefined {
  const failedOnly = givenField(given, 'failedOnly');
  const event = givenText(given, 'event');
  const streamId = givenField(given, 'streamId');
  if (failedOnly === undefined && event === undefined && streamId === undefined) return undefined;
  return { failedOnly: failedOnly === true, event, streamId: streamId === undefined ? undefined : requireId(streamId) };
}

async function pickFilter(
  context: CommandContext,
  webhook: Webhook,
  title: string,
): Promise<DeliveryFilter | undefined> {
  const { ui, webhooks } = context;
  const filter = webhooks.state.deliveries.get(webhook.id)?.filter ?? {};
  const item = (label: string, isSet: boolean, value: FilterChoice): PickItem<FilterChoice> => ({
    label,
    icon: isSet ? 'check' : 'blank',
    value,
  });
  const isClear = filter.failedOnly !== true && filter.event === undefined && filter.streamId === undefined;
  const choice = await ui.pick({
    title,
    placeholder: t('Select which deliveries to show'),
    items: [
      item(t('All Deliveries'), isClear, 'clear'),
      item(t('Failed Only'), filter.failedOnly === true, 'failed'),
      item(t('By Event…'), filter.event !== undefined, 'event'),
      item(t('By Stream…'), filter.streamId !== undefined, 'stream'),
    ],
  });
  switch (choice) {
    case undefined:
      return undefined;
    case 'clear':
      return {};
    case 'failed':
      return { ...filter, failedOnly: filter.failedOnly !== true };
    case 'event': {
      const event = await pickEvent(ui, title, webhook.events);
      return event === undefined ? undefined : { ...filter, event };
    }
    case 'stream': {
      const stream = await pickStream(context, title);
      return stream === undefined ? undefined : { ...filter, streamId: stream.id };
    }
    default:
      return choice satisfies never;
  }
}

function pickEvent(ui: CommandContext['ui'], title: string, events: readonly string[]): Promise<string | undefined> {
  const items = events.map((event) => ({ ...eventRow(event), value: event }));
  return ui.pick({ title, placeholder: t('Select an event'), items, matchOnDescription: true });
}
