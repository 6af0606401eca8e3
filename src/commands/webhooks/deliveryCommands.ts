import { t } from '@vscode/l10n';
import { asSentence } from '../../api/describeError.ts';
import type { Delivery, DeliveryDetails, DeliveryRequest } from '../../api/webhooks.ts';
import { openConnectionInfo } from '../../model/connection/knownAddresses.ts';
import { curlCommand } from '../../model/webhooks/curlCommand.ts';
import { checkLocalUrl } from '../../model/webhooks/localUrl.ts';
import type { LocalDelivery } from '../../model/webhooks/state.ts';
import { isWebhookNode } from '../../model/webhooks/webhookNodes.ts';
import { Refusal } from '../../texts/refusal.ts';
import { deliveryIsGone, failureText, localUrlText, outcomeText, urlHost } from '../../texts/webhooks.ts';
import { joinParts } from '../../util/text.ts';
import type { CommandContext, MessageAction } from '../context.ts';
import { flashDone } from '../flashDone.ts';
import { givenField, givenText } from '../targets/commandArguments.ts';
import { askLocalUrl, withUrlRefusals } from './localUrlBox.ts';
import { isLocal, resolveDelivery } from './webhookTargets.ts';

const DOUBLE_CLICK_MS = 1000;

/** Opens the page of a delivery. Takes a row or {webhookId, id}; a `webhookId` of '' means this computer. */
export async function openDelivery(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const delivery = await resolveDelivery(context, args[0], t('Show Delivery Details'));
  if (delivery !== undefined) await context.deliveries.openDelivery(delivery);
}

/** Has the service send a delivery again, after a question if it succeeded. Takes a row or {webhookId, id}. */
export async function resendDelivery(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const { webhooks, connection } = context;
  const delivery = await resolveDelivery(context, args[0], t('Resend Delivery'), { isOfService: true });
  if (delivery === undefined) return;
  connection.requireOpen();
  if (isLocal(context, delivery)) throw deliveryIsGone();
  if (delivery.isSuccess && !(await confirmResend(context, delivery))) return;
  await sendUnlessRepeated(context, delivery, '', async () => {
    const resent = await webhooks.resend(delivery.webhookId, delivery.id);
    reportSent(context, resent, t('Resent {0}', resent.event), args[0]);
  });
}

/** Handlers in production may act on the event a second time. */
function confirmResend({ ui }: CommandContext, { event, request }: DeliveryDetails): Promise<boolean> {
  const host = request && urlHost(request.url);
  return ui.confirm({
    message: host === undefined ? t('Resend {0}?', event) : t('Resend {0} to {1}?', event, host),
    detail: t('This event was already delivered.'),
    act: t('Resend'),
  });
}

const sending = new WeakMap<CommandContext['webhooks'], Set<string>>();

/**
 * Does nothing while the same delivery is being sent there, or was within the last second: a double click is one act,
 * no matter how fast the response is.
 * @param url on this computer; '' if the service sends it
 */
async function sendUnlessRepeated(
  { webhooks, clock }: CommandContext,
  { webhookId, id }: Delivery,
  url: string,
  send: () => Promise<void>,
): Promise<void> {
  const underWay = sending.get(webhooks) ?? new Set();
  sending.set(webhooks, underWay);
  const key = `${webhookId} ${id} ${url}`;
  if (underWay.has(key)) return;
  underWay.add(key);
  await send().finally(() => clock.setTimeout(() => underWay.delete(key), DOUBLE_CLICK_MS));
}

/**
 * Posts a recorded delivery to this computer. Takes a row or {webhookId, id, url?, isElsewhere?}. Without a URL, posts
 * it to where this window listens, otherwise to where the demo or this window sent it, or to where it listened last;
 * asks only if none of these is known, or for another URL.
 */
export async function replayDelivery(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const { eventListener } = context;
  const title = t('Replay Delivery');
  const delivery = await resolveDelivery(context, args[0], title);
  if (delivery === undefined) return;
  const given = isWebhookNode(args[0]) ? undefined : givenText(args[0], 'url');
  const isElsewhere = givenField(args[0], 'isElsewhere') === true;
  const standing = eventListener.listening?.url ?? sentHere(context, delivery) ?? eventListener.lastUrl;
  const known = given ?? (isElsewhere ? undefined : standing);
  const url = await askLocalUrl(context, known, title, URL.parse(delivery.request?.url ?? '')?.pathname);
  if (url === undefined) return;
  await sendUnlessRepeated(context, delivery, url, async () => {
    const sent = await withUrlRefusals(() => eventListener.replay(delivery, url, known === undefined));
    const done = joinParts(t('Replayed {0} to {1}', sent.event, localUrlText(url)), signatureNote(sent)) ?? '';
    reportSent(context, sent, done, args[0]);
  });
}

/** Copies a command for POSIX shells that sends the request again. Takes a row or {webhookId, id}. */
export async function copyDeliveryAsCurl(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const request = await requestOf(context, args[0], t('Copy as cURL'));
  if (request === undefined) return;
  const command = curlCommand(request);
  if (command === undefined) throw new Refusal(t("The URL of this delivery isn't an HTTP URL."));
  await context.ui.copy(command);
  flashDone(context, t('Copied the delivery as a cURL command'));
}

/** Copies the body as it was sent. Takes a row or {webhookId, id}. */
export async function copyDeliveryBody(context: CommandContext, ...args: readonly unknown[]): Promise<void> {
  openConnectionInfo(context);
  const request = await requestOf(context, args[0], t('Copy Body'));
  if (request === undefined) return;
  await context.ui.copy(request.body);
  flashDone(context, t('Copied the delivery body'));
}

/** Returns undefined if dismissed. Throws a Refusal if no request was recorded. */
async function requestOf(context: CommandContext, given: unknown, title: string): Promise<DeliveryRequest | undefined> {
  const delivery = await resolveDelivery(context, given, title);
  if (delivery === undefined) return undefined;
  if (delivery.request === undefined) throw new Refusal(t("The service didn't log this request."));
  return delivery.request;
}

/**
 * Reports a success in the Status Bar, and a failure with a message that opens the delivery.
 * @param done says what was done, without a full stop
 * @param given the command's argument: a delivery's page shows failures by itself
 */
export function reportSent(context: CommandContext, sent: DeliveryDetails, done: string, given?: unknown): void {
  const outcome = outcomeText(sent, context.drawing());
  if (sent.isSuccess) {
    flashDone(context, joinParts(done, outcome) ?? done);
    return;
  }
  if (givenField(given, 'isOnPage') === true) return;
  const { webhookId, id } = sent;
  const show: MessageAction = { label: t('Show Delivery Details'), command: 'openDelivery', args: [{ webhookId, id }] };
  const sentence = t("Couldn't deliver {0}. {1}", sent.event, asSentence(failureText(sent) ?? outcome));
  context.showMessage({ severity: 'warning', sentence, actions: [show] });
}

// A URL of this computer that another service recorded isn't trusted: nothing is posted there without asking.
function sentHere({ connection }: CommandContext, delivery: DeliveryDetails | LocalDelivery): string | undefined {
  if (!('attempt' in delivery) && connection.info?.isDemo !== true) return undefined;
  const checked = checkLocalUrl(delivery.request?.url ?? '');
  return 'url' in checked ? checked.url : undefined;
}

function signatureNote({ signature }: LocalDelivery): string | undefined {
  return signature === 'recorded' ? t('original signature') : undefined;
}
