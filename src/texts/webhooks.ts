import { t } from '@vscode/l10n';
import type { Delivery, DeliveryDetails, DeliveryFilter, Webhook } from '../api/webhooks.ts';
import { sentenceOfInvalidUrl } from '../model/connection/baseUrl.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import type { Failure } from '../model/webhooks/failures.ts';
import type { DeliveryRows } from '../model/webhooks/state.ts';
import type { WebhookUrlFault } from '../model/webhooks/webhookUrl.ts';
import { formatClock, formatDate, formatDayAndClock, type Reader } from '../util/dates.ts';
import { formatAge, formatCount } from '../util/format.ts';
import { joinParts, oneLine } from '../util/text.ts';
import { nameOf } from './names.ts';
import { Refusal } from './refusal.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
const MOST_URL = 200;
const MOST_EVENT = 100;

/**
 * Returns the name of the stream that a delivery is about, or its ID if it has no name; undefined if it's about no
 * stream or an unknown one.
 */
export function deliveredStream(
  { streams }: Pick<Snapshot, 'streams'>,
  { streamId = '', streamName }: Delivery,
  maxLength?: number,
): string | undefined {
  const known = streams.get(streamId)?.stream;
  if (known === undefined && streamName === undefined) return undefined;
  return nameOf(known ?? { id: streamId, name: streamName ?? '' }, maxLength) || undefined;
}

/** Returns "api.example.com", or "localhost:3000" with its port. */
export function urlHost(url: string): string {
  return oneLine(URL.parse(url)?.host ?? '', MOST_URL);
}

/** Returns the URL without the parts that may be secret: its query, fragment, and credentials. */
export function plainUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? '' : oneLine(`${parsed.origin}${parsed.pathname}`, MOST_URL);
}

/** "localhost:3000/api/webhook" */
export function localUrlText(url: string): string {
  return plainUrl(url).replace(/^https?:\/\//, '');
}

/** "500 · failed 2 min ago", for a webhook that is failing. */
export function lastFailedText({ at, statusCode }: Failure, reader: Reader): string | undefined {
  return joinParts(statusText(statusCode), t('failed {0}', agoText(at, reader)));
}

/** "2 failing". undefined if none is. */
export function failingText(failing: number, { locale }: Reader): string | undefined {
  return failing === 0 ? undefined : t('{0} failing', formatCount(failing, locale) ?? '');
}

/** "Failed deliveries: 4 of 50 since Nov 24 10:42". undefined if none failed. */
export function failedCountText(rows: DeliveryRows | undefined, failed: number, reader: Reader): string | undefined {
  const first = rows?.items.at(-1)?.createdAt;
  // A date, because "Today" is capitalized as at the beginning of a sentence.
  const since = formatDate(first, reader);
  if (rows === undefined || failed === 0 || since === undefined) return undefined;
  const count = (number: number) => formatCount(number, reader.locale) ?? '';
  return t(
    'Failed deliveries: {0} of {1} since {2}',
    count(failed),
    count(rows.items.length),
    `${since} ${formatClock(first, reader)}`,
  );
}

/** "2 min ago", "just now" */
function agoText(at: number, reader: Reader): string {
  const ms = reader.now - at;
  const age = ms < MINUTE_MS ? undefined : formatAge(ms);
  return age === undefined ? t('just now') : t('{0} ago', age);
}

/** "2 min ago · 200 · 120 ms" */
export function deliveryText(delivery: Delivery, reader: Reader): string {
  const { createdAt, duration } = delivery;
  return joinParts(agoText(createdAt, reader), responseText(delivery), millisecondsText(duration, reader)) ?? '';
}

export function noResponseText(): string {
  return t('no response');
}

function statusText(statusCode: number | undefined): string | undefined {
  return statusCode === undefined ? undefined : String(statusCode);
}

function millisecondsText(ms: number | undefined, { locale }: Reader): string | undefined {
  if (ms === undefined || !Number.isFinite(ms) || ms < 0) return undefined;
  const isShort = ms < SECOND_MS;
  const value = isShort ? Math.round(ms) : ms / SECOND_MS;
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value);
  return isShort ? t('{0} ms', number) : t('{0} s', number);
}

/** "200 · 120 ms" */
export function outcomeText(delivery: Delivery, reader: Reader): string {
  return joinParts(responseText(delivery), millisecondsText(delivery.duration, reader)) ?? '';
}

/** "200", "no response" */
export function responseText({ statusCode }: Delivery): string {
  return statusText(statusCode) ?? noResponseText();
}

/** Says why a delivery failed, in a line; undefined if it didn't. */
export function failureText({ isSuccess, error, response, statusCode }: DeliveryDetails): string | undefined {
  if (isSuccess) return undefined;
  if (error !== undefined && error !== '') return error;
  const status = response?.status ?? statusCode;
  return status === undefined ? t('No response.') : t('The handler responded with {0}.', status);
}

/** "Last failure: Yesterday 18:00 · 500" */
export function lastFailureText({ lastFailure }: Webhook, reader: Reader): string | undefined {
  if (lastFailure === undefined) return undefined;
  const when = formatDayAndClock(lastFailure.at, reader) ?? '';
  return joinParts(t('Last failure: {0}', when), statusText(lastFailure.statusCode), lastFailure.error);
}

/** "Failed · stream.idle · Keynote" */
export function filterText({ failedOnly, event }: DeliveryFilter, streamName: string | undefined): string {
  return joinParts(failedOnly === true && t('Failed'), event && oneLine(event, MOST_EVENT), streamName) ?? '';
}

/** Says how long events take: as long as the pause between two polls, and at least that between two reads of a log. */
export function arrivalText({ locale, refreshInterval = 0 }: Reader & { readonly refreshInterval?: number }): string {
  return t(
    'Live Streams creates stream events when it notices the change, usually within {0} seconds, and recording events within 30 seconds.',
    formatCount(Math.max(15, refreshInterval), locale) ?? '',
  );
}

export function thisComputerText(): string {
  return t('This Computer');
}

/** Says that no handler is there, and what to do about it. */
export function unansweredText(host: string): string {
  return t(
    "Nothing is listening at {0}, so events can't be delivered. Start your server, or check the host and port.",
    host,
  );
}

export function notReceivingText(): string {
  return t('Not receiving events');
}

/** Returns when the service sends an event, in one line; undefined for an unknown event. */
export function describeEvent(event: string): string | undefined {
  return EVENTS[event]?.();
}

const EVENTS: Readonly<Record<string, (() => string) | undefined>> = {
  'stream.started': () => t('A stream goes live'),
  'stream.idle': () => t('A stream becomes idle'),
  'stream.detection': () => t('Content is detected in a stream'),
  'recording.started': () => t('A recording starts'),
  'recording.waiting': () => t('A session has ended, and its recording is being processed'),
  'recording.ready': () => t('A recording is ready to watch'),
  'multistream.connected': () => t('A multistream target connects'),
  'multistream.error': () => t('A multistream target fails'),
  'multistream.disconnected': () => t('A multistream target disconnects'),
  'playback.user.new': () => t('A new viewer starts watching'),
  'playback.accessControl': () => t('A viewer requests protected content'),
  'asset.created': () => t('An asset is created'),
  'asset.updated': () => t('An asset changes'),
  'asset.ready': () => t('An asset is ready to watch'),
  'asset.failed': () => t("An asset can't be processed"),
  'asset.deleted': () => t('An asset is deleted'),
  'task.spawned': () => t('A task is created'),
  'task.updated': () => t('A task makes progress'),
  'task.completed': () => t('A task is completed'),
  'task.failed': () => t('A task fails'),
};

export function webhookUrlFaultText(fault: WebhookUrlFault): string {
  switch (fault) {
    case 'notUrl':
      return sentenceOfInvalidUrl('https://example.com/webhook');
    case 'notHttp':
      return t('Enter a URL that starts with http:// or https://.');
    case 'notOfDemo':
      return t(
        'The demo delivers events only to this computer. Enter a URL such as http://localhost:3000/api/webhook.',
      );
    case 'local':
      return t("The service can't reach this URL because it's available only on your computer or network.");
  }
}

export function webhookIsGone(): Refusal {
  return new Refusal(t('This webhook no longer exists.'));
}

export function deliveryIsGone(): Refusal {
  return new Refusal(t('This delivery is no longer available.'));
}
