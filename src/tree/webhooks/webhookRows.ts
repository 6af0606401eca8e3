import { t } from '@vscode/l10n';
import type { Delivery, DeliveryDetails, Webhook } from '../../api/webhooks.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import {
  currentFailure,
  deliveredLater,
  isFiltered,
  isHandlerFailing,
  isResend,
} from '../../model/webhooks/failures.ts';
import { OWN_EVENTS } from '../../model/webhooks/followedLog.ts';
import { localAttempts } from '../../model/webhooks/localAttempts.ts';
import type { DeliveryRows, Listening, LocalDelivery, PagedRows, WebhooksState } from '../../model/webhooks/state.ts';
import type { WebhookNode, WebhookNodeOf } from '../../model/webhooks/webhookNodes.ts';
import { loadingLabel, loadMoreLabel, retryLabel } from '../../texts/labels.ts';
import { isAmbiguous, nameOf, nameOfConnection } from '../../texts/names.ts';
import { FAILED } from '../../texts/streams.ts';
import { outdatedReason, troubleSentence, troubleWords } from '../../texts/troubles.ts';
import {
  arrivalText,
  deliveredStream,
  deliveryText,
  describeEvent,
  failedCountText,
  failureText,
  filterText,
  lastFailedText,
  lastFailureText,
  localUrlText,
  noResponseText,
  notReceivingText,
  plainUrl,
  thisComputerText,
  unansweredText,
  urlHost,
} from '../../texts/webhooks.ts';
import { formatClock, formatDateTime } from '../../util/dates.ts';
import { formatCount } from '../../util/format.ts';
import { escapeMarkdown } from '../../util/markup.ts';
import { joinParts, joinTexts, joinWords, oneLine } from '../../util/text.ts';
import { placedValue } from '../contextValues.ts';
import { dayRow } from '../dayRow.ts';
import { drawNotice, WARNING } from '../noticeRows.ts';
import { type DrawingContext, GONE, plainRow, type Row, type RowTooltip } from '../row.ts';
import { deliveryLinks, thisComputerLinks, webhookLinks } from './webhookLinks.ts';

/** The data that the rows of webhooks are drawn from. */
export interface WebhookFacts {
  readonly state: WebhooksState;
  readonly listening: Listening | undefined;
  /** Newest first. */
  readonly local: readonly LocalDelivery[];
  readonly snapshot: Snapshot;
}

const LISTENING = { id: 'zap', color: 'liveStreams.liveForeground' };
const MOST_NAME = 1000;
const MOST_EVENTS = 8;
const ANSWER_LINES = 3;
const MOST_ANSWER_LINE = 120;

export function drawWebhookRow(facts: WebhookFacts, node: WebhookNode, drawing: DrawingContext): Row {
  switch (node.kind) {
    case 'thisComputer':
      return drawThisComputer(facts, drawing);
    case 'localDelivery': {
      const first = facts.local.find(({ id }) => id === node.deliveryId);
      return first === undefined ? GONE : drawLocalDelivery(facts, first, drawing);
    }
    case 'webhook': {
      const webhook = facts.state.webhooks.items.find(({ id }) => id === node.webhookId);
      return webhook === undefined ? GONE : drawWebhook(facts, webhook, drawing);
    }
    case 'deliveryFilter':
      return drawFilter(facts, node);
    case 'deliveryDay':
      return dayRow(node.day, drawing);
    case 'delivery': {
      const rows = facts.state.deliveries.get(node.webhookId);
      const delivery = rows?.items.find(({ id }) => id === node.deliveryId);
      return delivery === undefined ? GONE : drawDelivery(facts, delivery, drawing);
    }
    case 'webhookEnd':
      return drawEnd(facts, node, drawing);
    case 'notice':
      return drawNotice(facts.snapshot, node, { list: facts.state.webhooks, drawing });
    default:
      return node satisfies never;
  }
}

function drawThisComputer({ snapshot, listening, local }: WebhookFacts, drawing: DrawingContext): Row {
  const label = thisComputerText();
  const address = listening && localUrlText(listening.url);
  // The port distinguishes local handlers, and a narrow view cuts the end. A row below warns if no handler is there.
  const handler = address?.replace(/^.*(?=:\d+(\/|$))/, '') ?? t('not listening');
  const description = joinParts(handler, listening !== undefined && ownerOf(snapshot)) ?? '';
  const isFailing = listening !== undefined && isHandlerFailing(listening, local[0]);
  return {
    label,
    description,
    tooltip: () => ({
      markdown: paragraphs([
        bold(label),
        ...(listening === undefined ? [] : listeningLines(listening, snapshot, drawing)).map((line) =>
          escapeMarkdown(line),
        ),
      ]),
      ...(listening !== undefined && { links: thisComputerLinks() }),
    }),
    icon: listening === undefined ? { id: 'vm' } : listeningIcon(snapshot, listening, isFailing),
    contextValue: placedValue('thisComputer', [listening !== undefined]),
    collapsible: 'expanded',
    accessibilityLabel: joinWords(
      label,
      address ?? description,
      isFailing && t('failing'),
      listening !== undefined && outdatedReason(snapshot) && notReceivingText(),
    ),
  };
}

/** In color while events arrive. Warns if no events are received; the row below warns if there's no handler. */
function listeningIcon(snapshot: Snapshot, { isUnanswered }: Listening, isFailing: boolean): Row['icon'] {
  if (outdatedReason(snapshot)) return { id: 'warning' };
  if (isUnanswered === true) return { id: LISTENING.id };
  return isFailing ? { ...LISTENING, color: FAILED.color } : LISTENING;
}

/** Returns the connection whose events are sent, if there are several. */
function ownerOf(snapshot: Snapshot): string | undefined {
  return isAmbiguous(snapshot) ? nameOfConnection(snapshot) : undefined;
}

function listeningLines(
  { url, events, since, isUnanswered }: Listening,
  snapshot: Snapshot,
  drawing: DrawingContext,
): readonly string[] {
  const clock = formatClock(since, drawing) ?? '';
  const outdated = outdatedReason(snapshot);
  const about = joinParts(eventsLine(events), ownerOf(snapshot)) ?? '';
  // Nothing arrives while the account can't be read.
  if (outdated) return [`${notReceivingText()} · ${plainUrl(url)}`, about, outdated];
  if (isUnanswered === true) return [unansweredText(urlHost(url)), plainUrl(url), about];
  return [t('Sending events to {0} (since {1})', plainUrl(url), clock), about, arrivalText(drawing)];
}

function eventsLine(events: readonly string[] | undefined): string {
  if (events === undefined) return t('All events');
  const shown = events.slice(0, MOST_EVENTS).join(', ');
  const more = events.length - MOST_EVENTS;
  return more > 0 ? t('{0}, and {1} more', shown, more) : shown;
}

function drawWebhook(facts: WebhookFacts, webhook: Webhook, drawing: DrawingContext): Row {
  const failure = currentFailure(webhook, facts.state.deliveries.get(webhook.id));
  const isFailed = failure !== undefined;
  const label = nameOf(webhook, MOST_NAME);
  const trouble = failure && lastFailedText(failure, drawing);
  const words = trouble ?? earlierFailures(facts, webhook.id, drawing);
  const { items, hasNextPage } = facts.state.webhooks;
  return {
    label,
    // A narrow view has no room for both, and the hover has the URL.
    description: trouble ?? joinParts(words, urlHost(webhook.url)),
    tooltip: () => ({ markdown: webhookTooltip(facts, webhook, drawing), links: webhookLinks(webhook) }),
    icon: isFailed ? FAILED : { id: 'globe', ...(words !== undefined && { color: 'liveStreams.warningForeground' }) },
    contextValue: placedValue('webhook', [isFailed]),
    // Only its deliveries show which of them failed before the last one. Those of several webhooks cost a request each.
    collapsible: items.length === 1 && !hasNextPage ? 'expanded' : 'collapsed',
    accessibilityLabel: joinWords(t('Webhook, {0}', label), isFailed && t('failing'), words, urlHost(webhook.url)),
  };
}

function earlierFailures(facts: WebhookFacts, webhookId: string, { locale }: DrawingContext): string | undefined {
  const failed = countFailed(facts, webhookId);
  return failed === 0 ? undefined : t('{0} failed', formatCount(failed, locale) ?? '');
}

/** Counts known failed deliveries whose events weren't delivered later; 0 while a filter hides some. */
function countFailed(facts: WebhookFacts, webhookId: string): number {
  const rows = facts.state.deliveries.get(webhookId);
  if (rows === undefined || isFiltered(rows.filter)) return 0;
  return rows.items.filter((delivery) => !delivery.isSuccess && settledNote(facts, delivery) === undefined).length;
}

function webhookTooltip(facts: WebhookFacts, webhook: Webhook, drawing: DrawingContext): string {
  const { snapshot, state } = facts;
  const { id, url, events, streamId } = webhook;
  const failure = lastFailureText(webhook, drawing);
  const count = failedCountText(state.deliveries.get(id), countFailed(facts, id), drawing);
  return paragraphs(
    [bold(nameOf(webhook, 200)), escapeMarkdown(plainUrl(url)), escapeMarkdown(eventsLine(events))],
    [streamId === undefined ? '' : escapeMarkdown(t('Stream: {0}', nameOfStream(snapshot, streamId)))],
    [escapeMarkdown(count ?? '')],
    [failure === undefined ? '' : escapeMarkdown(failure), ...answerLines(webhook.lastFailure?.response)],
  );
}

function drawDelivery(facts: WebhookFacts, delivery: Delivery, drawing: DrawingContext): Row {
  const related = relateDelivery(facts, delivery);
  return {
    ...deliveryLooks(related, drawing),
    tooltip: () => hoverOf(related, drawing),
    contextValue: placedValue('delivery', [related.isToResend]),
  };
}

/** One row for all attempts: it has the time of the first, and the outcome of the last. */
function drawLocalDelivery(facts: WebhookFacts, first: LocalDelivery, drawing: DrawingContext): Row {
  const last = localAttempts(facts.local).lasts.get(first.id) ?? first;
  const related = relateDelivery(facts, last);
  return {
    ...deliveryLooks(related, drawing, first.createdAt),
    tooltip: () => ({ markdown: deliveryTooltip(related, drawing, last) }),
    contextValue: placedValue('localDelivery', [related.isToResend]),
  };
}

/** A delivery, with information from other deliveries. */
interface RelatedDelivery {
  readonly snapshot: Snapshot;
  readonly delivery: Delivery;
  /** Whether it failed and its event wasn't delivered later. */
  readonly isToResend: boolean;
  /** Whether its row begins with the note: next to the events of a live stream, it would look like one of them. */
  readonly beginsWithNote: boolean;
  /** Says that it's a test, that it repeats another delivery, or how it was settled later. */
  readonly note: string | undefined;
}

function relateDelivery(facts: WebhookFacts, delivery: Delivery | LocalDelivery): RelatedDelivery {
  const settled = settledNote(facts, delivery);
  const note = 'attempt' in delivery ? localNote(delivery, settled) : (settled ?? resendNote(facts, delivery));
  const isToResend = !delivery.isSuccess && settled === undefined;
  const beginsWithNote = 'attempt' in delivery && kindWord(delivery) !== undefined;
  return { snapshot: facts.snapshot, delivery, isToResend, beginsWithNote, note };
}

function localNote(delivery: LocalDelivery, settled: string | undefined): string | undefined {
  const { attempt } = delivery;
  return joinParts(settled, kindWord(delivery), attempt > 1 && t('attempt {0}', attempt));
}

/** Says why it was sent, unless it's an event as it happened. */
function kindWord({ event, isOfLog, isTest, replayOf }: LocalDelivery): string | undefined {
  if (isTest === true) return t('test event');
  if (replayOf !== undefined) return t('replay');
  // This window sends such events itself, so it's in the log because the service resent it.
  return isOfLog === true && OWN_EVENTS.has(event) ? t('resend') : undefined;
}

/** Returns the note of a failed delivery whose event was delivered after all. */
function settledNote({ state, local }: WebhookFacts, delivery: Delivery | LocalDelivery): string | undefined {
  const { id, webhookId, isSuccess } = delivery;
  if (isSuccess) return undefined;
  const isLocal = 'attempt' in delivery;
  if (isLocal && local.some((other) => other.isSuccess && other.replayOf === id)) return t('replayed');
  const wasResent = state.resent.get(id)?.isSuccess === true;
  const listed = isLocal ? local : state.deliveries.get(webhookId)?.items;
  return wasResent || deliveredLater(delivery, listed) !== undefined ? t('resent') : undefined;
}

/** Returns the note of a delivery that repeats another one, no matter who triggered it. */
function resendNote({ state }: WebhookFacts, delivery: Delivery): string | undefined {
  const isFromHere = [...state.resent.values()].some(({ id }) => id === delivery.id);
  return isFromHere || isResend(delivery, state.deliveries.get(delivery.webhookId)?.items) ? t('resend') : undefined;
}

function deliveryLooks(
  { snapshot, delivery, isToResend, beginsWithNote, note }: RelatedDelivery,
  drawing: DrawingContext,
  sentAt = delivery.createdAt,
): Omit<Row, 'contextValue'> {
  const { event, isSuccess, statusCode } = delivery;
  const name = deliveredStream(snapshot, delivery, MOST_NAME);
  const isUnanswered = !isSuccess && statusCode === undefined;
  return {
    // In the form that recordings have: both are listed by day.
    label: joinTexts(formatClock(sentAt, drawing), eventLabel(event)),
    // Text that repeats the icon comes last: a narrow view cuts the end.
    description: joinParts(
      beginsWithNote && note,
      !isSuccess && statusCode?.toString(),
      name,
      isUnanswered && noResponseText(),
      !beginsWithNote && note,
    ),
    icon: deliveryIcon(delivery, isToResend),
    collapsible: 'none',
    command: 'openDelivery',
    accessibilityLabel: joinWords(
      t('Delivery, {0}', eventLabel(event)),
      isSuccess ? t('succeeded') : t('failed'),
      joinParts(name, deliveryText(delivery, drawing)),
      note,
    ),
  };
}

function deliveryIcon({ isSuccess, statusCode }: Delivery, isToResend: boolean): Row['icon'] {
  if (isSuccess) return { id: 'pass' };
  const id = statusCode === undefined ? 'debug-disconnect' : 'error';
  return isToResend ? { ...FAILED, id } : { id };
}

/** @param details the request and response, if known */
export function deliveryHover(
  facts: WebhookFacts,
  delivery: Delivery,
  drawing: DrawingContext,
  details?: DeliveryDetails,
): RowTooltip {
  return hoverOf(relateDelivery(facts, delivery), drawing, details);
}

function hoverOf(related: RelatedDelivery, drawing: DrawingContext, details?: DeliveryDetails): RowTooltip {
  const links = deliveryLinks(related.delivery, related.isToResend);
  return { markdown: deliveryTooltip(related, drawing, details), links };
}

function deliveryTooltip(
  { snapshot, delivery, note }: RelatedDelivery,
  drawing: DrawingContext,
  details?: DeliveryDetails,
): string {
  const { event, streamId, streamName = '' } = delivery;
  const when = describeEvent(event);
  const failure = details && failureText(details);
  return paragraphs(
    [bold(eventLabel(event)), when === undefined ? '' : escapeMarkdown(when)],
    [
      streamId === undefined ? '' : escapeMarkdown(t('Stream: {0}', nameOfStream(snapshot, streamId, streamName))),
      escapeMarkdown(
        joinParts(formatDateTime(delivery.createdAt, drawing), deliveryText(delivery, drawing), note) ?? '',
      ),
    ],
    [failure === undefined ? '' : escapeMarkdown(failure), ...answerLines(details?.response?.body)],
  );
}

/** Returns the first lines of a handler's response, without the tags of an HTML page. */
function answerLines(body: string | undefined): readonly string[] {
  const text = /^\s*</.test(body ?? '') ? body?.replace(/<[^>]*>/g, ' ') : body;
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, ANSWER_LINES).map((line) => escapeMarkdown(line, MOST_ANSWER_LINE));
}

function drawFilter({ state, snapshot }: WebhookFacts, { webhookId }: WebhookNodeOf<'deliveryFilter'>): Row {
  const filter = state.deliveries.get(webhookId)?.filter ?? {};
  const { streamId } = filter;
  const name = streamId === undefined ? undefined : nameOfStream(snapshot, streamId);
  const label = filterText(filter, name);
  const spoken = t('Filtered: {0}', label);
  return plainRow('deliveryFilter', label, {
    tooltip: () => ({ markdown: escapeMarkdown(spoken) }),
    icon: { id: 'filter-filled' },
    command: 'filterDeliveries',
    accessibilityLabel: spoken,
  });
}

function drawEnd(
  { state, snapshot, listening }: WebhookFacts,
  { end, webhookId }: WebhookNodeOf<'webhookEnd'>,
  drawing: DrawingContext,
): Row {
  const deliveries = webhookId === undefined ? undefined : state.deliveries.get(webhookId);
  const list: PagedRows<unknown> | undefined = webhookId === undefined ? state.webhooks : deliveries;
  switch (end) {
    case 'loading':
      return plainRow('notice', loadingLabel(), { icon: { id: 'loading~spin' } });
    case 'empty':
      return plainRow('empty', emptyText(deliveries));
    case 'unanswered':
      return drawUnanswered(listening?.url ?? '');
    case 'more':
      return list?.isLoading === true
        ? plainRow('more', loadingLabel(), { icon: { id: 'loading~spin' } })
        : plainRow('more', loadMoreLabel(), { icon: { id: 'ellipsis' }, command: 'loadMore' });
    case 'retry': {
      if (webhookId === undefined) {
        return drawNotice(snapshot, { notice: 'retry', isBeside: true }, { list: state.webhooks, drawing });
      }
      const error = deliveries?.trouble?.error;
      const reason = error && troubleSentence(error, snapshot);
      return {
        ...plainRow('retry', retryLabel(), { icon: { id: 'refresh' }, command: 'retry' }),
        description: (error && troubleWords(error)) ?? reason,
        tooltip: reason === undefined ? undefined : () => ({ markdown: escapeMarkdown(reason) }),
        accessibilityLabel: joinWords(retryLabel(), reason),
      };
    }
    default:
      return end satisfies never;
  }
}

/** Offers to listen at another URL. */
function drawUnanswered(url: string): Row {
  const sentence = unansweredText(urlHost(url));
  return {
    // Only the port, because a narrow view cuts the end.
    ...plainRow('notice', t('No server on port {0}', portOf(url)), { icon: WARNING }),
    tooltip: () => ({ markdown: escapeMarkdown(sentence) }),
    command: 'listenForEvents',
    accessibilityLabel: sentence,
  };
}

function portOf(url: string): string {
  const { port = '', protocol } = URL.parse(url) ?? {};
  return port || (protocol === 'https:' ? '443' : '80');
}

function emptyText(rows: DeliveryRows | undefined): string {
  return rows !== undefined && isFiltered(rows.filter) ? t('No matching deliveries') : t('No deliveries yet');
}

function nameOfStream({ streams }: Snapshot, id: string, name = ''): string {
  return nameOf(streams.get(id)?.stream ?? { id, name });
}

function eventLabel(event: string): string {
  return oneLine(event, 100);
}

function bold(text: string): string {
  return `**${escapeMarkdown(text)}**`;
}

// Lines of a paragraph end in two spaces, which is a line break in Markdown.
function paragraphs(...parts: readonly (readonly string[])[]): string {
  const texts = parts.map((lines) => lines.filter((line) => line !== '').join('  \n'));
  return texts.filter((text) => text !== '').join('\n\n');
}
