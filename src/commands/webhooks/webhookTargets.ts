import { t } from '@vscode/l10n';
import type { DeliveryDetails, Webhook } from '../../api/webhooks.ts';
import { currentFailure } from '../../model/webhooks/failures.ts';
import { localAttempts } from '../../model/webhooks/localAttempts.ts';
import type { LocalDelivery } from '../../model/webhooks/state.ts';
import { isWebhookNode, type WebhookNode } from '../../model/webhooks/webhookNodes.ts';
import type { PickItem, PickOptions } from '../../services.ts';
import { nameOf } from '../../texts/names.ts';
import { Refusal } from '../../texts/refusal.ts';
import { requireId } from '../../texts/refusals.ts';
import {
  deliveredStream,
  deliveryIsGone,
  deliveryText,
  lastFailedText,
  thisComputerText,
  urlHost,
  webhookIsGone,
} from '../../texts/webhooks.ts';
import { joinParts } from '../../util/text.ts';
import type { CommandContext } from '../context.ts';
import { givenField, givenId } from '../targets/commandArguments.ts';

/** The number of pages that a picker lists. */
const PAGES_AT_MOST = 10;

/** Returns the ID of a command's webhook, given as a row, an ID, or {id}. Throws a Refusal if it isn't valid. */
export function givenWebhookId(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (isWebhookNode(given))
    return 'webhookId' in given && given.webhookId !== undefined ? requireId(given.webhookId) : undefined;
  if (typeof given === 'object' && givenField(given, 'id') === undefined) return undefined;
  return givenId(given);
}

/**
 * Returns the webhook of a row, an ID or {id}, or shows a picker. Returns undefined if dismissed. Throws a Refusal if
 * it's gone or if there are none, and ApiError.
 */
export async function resolveWebhook(
  context: CommandContext,
  given: unknown,
  title: string,
): Promise<Webhook | undefined> {
  const id = givenWebhookId(given);
  if (id !== undefined) return findWebhook(context, id);
  return pickWebhook(context, { title });
}

/** Returns undefined if dismissed. Throws a Refusal if there are none, and ApiError. */
export async function pickWebhook(
  context: CommandContext,
  box: Pick<PickOptions<Webhook>, 'title' | 'back'>,
): Promise<Webhook | undefined> {
  const all = await listWebhooks(context);
  if (all.length === 0) throw noWebhooks();
  return context.ui.pick({
    ...box,
    placeholder: t('Select a webhook'),
    matchOnDescription: true,
    items: all.map((webhook) => itemOf(context, webhook)),
  });
}

/** Like `resolveWebhook`, but takes the only webhook without asking: for changes that are easily undone. */
export async function resolveOnlyWebhook(
  context: CommandContext,
  given: unknown,
  title: string,
): Promise<Webhook | undefined> {
  const [first, ...others] = givenWebhookId(given) === undefined ? await listWebhooks(context) : [];
  return first !== undefined && others.length === 0 ? first : resolveWebhook(context, given, title);
}

/** Throws a Refusal if it's gone, and ApiError. */
export async function findWebhook(context: CommandContext, id: string): Promise<Webhook> {
  const known = () => context.webhooks.state.webhooks.items.find((webhook) => webhook.id === id);
  const wasLoaded = context.webhooks.state.webhooks.isLoaded;
  if (known() === undefined) await loadUntil(context, () => known() !== undefined);
  // It may have been created elsewhere since the list was loaded.
  if (known() === undefined && wasLoaded) {
    await context.webhooks.refresh();
    await loadUntil(context, () => known() !== undefined);
  }
  const found = known();
  if (found === undefined) throw webhookIsGone();
  return found;
}

/** Throws a Refusal if the service has no webhooks, and ApiError. */
export async function listWebhooks(context: CommandContext): Promise<readonly Webhook[]> {
  await loadUntil(context, () => false);
  return context.webhooks.state.webhooks.items;
}

async function loadUntil({ webhooks, connection }: CommandContext, isDone: () => boolean): Promise<void> {
  connection.requireOpen();
  if (!webhooks.state.webhooks.isLoaded) await webhooks.refresh();
  requireOffered(webhooks);
  for (let page = 1; page < PAGES_AT_MOST && webhooks.state.webhooks.hasNextPage && !isDone(); page += 1)
    await webhooks.loadMore();
  const { trouble } = webhooks.state.webhooks;
  if (trouble !== undefined && !isDone()) throw trouble.error;
}

function requireOffered({ state }: CommandContext['webhooks']): void {
  if (!state.isOffered) throw new Refusal(t("This service doesn't support webhooks."), { isOfConnection: true });
}

function noWebhooks(): Refusal {
  return new Refusal(t('There are no webhooks yet.'), {
    severity: 'info',
    actions: [{ label: t('Create Webhook…'), command: 'createWebhook' }],
  });
}

function itemOf({ webhooks, drawing }: CommandContext, webhook: Webhook) {
  const failure = currentFailure(webhook, webhooks.state.deliveries.get(webhook.id));
  return {
    label: nameOf(webhook, 200),
    description: joinParts(urlHost(webhook.url), failure && lastFailedText(failure, drawing())),
    icon: failure ? 'error' : 'globe',
    value: webhook,
  };
}

interface DeliveryChoice {
  /** Whether deliveries that this window sent aren't offered. */
  readonly isOfService?: boolean;
}

/**
 * Returns the delivery of a row, of {webhookId, id}, or in the active tab, with its request and response; or shows
 * pickers. Returns undefined if dismissed. Throws a Refusal if it's gone, and ApiError.
 */
export async function resolveDelivery(
  context: CommandContext,
  given: unknown,
  title: string,
  { isOfService = false }: DeliveryChoice = {},
): Promise<DeliveryDetails | LocalDelivery | undefined> {
  const named = isWebhookNode(given) ? referenceOfRow(context, given) : referenceIn(given);
  const reference = given === undefined ? referenceInFront(context, isOfService) : named;
  if (reference !== undefined) return readReference(context, reference);
  const picked = await pickDelivery(context, given, { title, isOfService });
  return picked && readReference(context, picked);
}

interface DeliveryReference {
  /** undefined for one that was sent by this window. */
  readonly webhookId: string | undefined;
  readonly id: string;
}

function referenceOfRow({ eventListener }: CommandContext, row: WebhookNode): DeliveryReference | undefined {
  if (row.kind === 'localDelivery') {
    const last = localAttempts(eventListener.deliveries).lasts.get(row.deliveryId);
    return { webhookId: undefined, id: last?.id ?? row.deliveryId };
  }
  if (row.kind !== 'delivery') return undefined;
  return { webhookId: requireId(row.webhookId), id: requireId(row.deliveryId) };
}

function referenceInFront(context: CommandContext, isOfService: boolean): DeliveryReference | undefined {
  const shown = context.findDelivery();
  if (shown === undefined || shown.connection !== context.connection.info?.id) return undefined;
  if (isOfService && isLocal(context, shown)) return undefined;
  return { webhookId: shown.webhookId || undefined, id: shown.id };
}

function referenceIn(given: unknown): DeliveryReference | undefined {
  const id = givenField(given, 'id');
  const webhookId = givenField(given, 'webhookId');
  if (id === undefined || webhookId === undefined) return undefined;
  return { webhookId: webhookId === '' ? undefined : requireId(webhookId), id: requireId(id) };
}

/** Whether a delivery was sent from this computer. One that's no longer known has no webhook. */
export function isLocal(
  { eventListener }: CommandContext,
  { webhookId, id }: Pick<DeliveryDetails, 'webhookId' | 'id'>,
): boolean {
  return webhookId === '' || eventListener.deliveries.some((delivery) => delivery.id === id);
}

async function readReference(
  { webhooks, eventListener, connection }: CommandContext,
  { webhookId, id }: DeliveryReference,
): Promise<DeliveryDetails> {
  const local = eventListener.deliveries.find((delivery) => delivery.id === id);
  if (local !== undefined) return local;
  if (webhookId === undefined) throw deliveryIsGone();
  connection.requireOpen();
  return webhooks.readDelivery(webhookId, id);
}

/** Picks among the newest deliveries of a webhook. */
async function pickDelivery(
  context: CommandContext,
  given: unknown,
  { title, isOfService }: Required<DeliveryChoice> & { readonly title: string },
): Promise<DeliveryReference | undefined> {
  const { webhooks, eventListener, ui, drawing, store } = context;
  const hasLocal = !isOfService && eventListener.deliveries.length > 0;
  const source = givenWebhookId(given) ?? (await pickSource(context, title, hasLocal));
  if (source === undefined) return undefined;
  if (source !== LOCAL) await webhooks.openDeliveries(source);
  const rows = source === LOCAL ? undefined : webhooks.state.deliveries.get(source);
  if (rows?.trouble !== undefined && rows.items.length === 0) throw rows.trouble.error;
  const deliveries = rows?.items ?? [...localAttempts(eventListener.deliveries).lasts.values()].reverse();
  const items = deliveries.map((delivery) => ({
    label: delivery.event,
    description: joinParts(deliveredStream(store.snapshot, delivery, 100), deliveryText(delivery, drawing())),
    icon: delivery.isSuccess ? 'pass' : 'error',
    value: { webhookId: source === LOCAL ? undefined : source, id: delivery.id },
  }));
  if (items.length === 0) throw new Refusal(t('This webhook has no deliveries yet.'), { severity: 'info' });
  return ui.pick({ title, placeholder: t('Select a delivery'), matchOnDescription: true, items });
}

const LOCAL = '+thisComputer';

async function pickSource(context: CommandContext, title: string, hasLocal: boolean): Promise<string | undefined> {
  const all = await listWebhooks(context).catch((error: unknown) => {
    if (hasLocal) return [];
    throw error;
  });
  if (all.length === 0 && !hasLocal) throw noWebhooks();
  return pickAmong(context, title, { all, hasLocal });
}

/** Returns a webhook's ID, or '' for this computer, which is all there is without webhooks; undefined if dismissed. */
export async function pickSecretSource(context: CommandContext, title: string): Promise<string | undefined> {
  const all = await listWebhooks(context).catch(() => []);
  const picked = await pickAmong(context, title, { all, hasLocal: true });
  return picked === LOCAL ? '' : picked;
}

/** Asks only if there is a choice. */
async function pickAmong(
  context: CommandContext,
  title: string,
  { all, hasLocal }: { readonly all: readonly Webhook[]; readonly hasLocal: boolean },
): Promise<string | undefined> {
  const here = { label: thisComputerText(), icon: 'vm', value: LOCAL };
  const items: PickItem<string>[] = all.map((webhook) => ({
    ...itemOf(context, webhook),
    buttons: [],
    value: webhook.id,
  }));
  const choices = hasLocal ? [here, ...items] : items;
  if (choices.length === 1) return choices[0]?.value;
  return context.ui.pick({ title, placeholder: t('Select a webhook'), matchOnDescription: true, items: choices });
}
