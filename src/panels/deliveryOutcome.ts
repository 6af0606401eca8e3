import { t } from '@vscode/l10n';
import type { Delivery, DeliveryDetails } from '../api/webhooks.ts';
import { mayBeRetried } from '../model/webhooks/retries.ts';
import type { LocalDelivery } from '../model/webhooks/state.ts';
import { failedLabel } from '../texts/labels.ts';
import { outcomeText, unansweredText } from '../texts/webhooks.ts';
import type { Reader } from '../util/dates.ts';
import { joinParts, oneLine } from '../util/text.ts';

type Outcome = DeliveryDetails | LocalDelivery;

/** The service waits this long (src/api/README.md, Webhooks). */
const TIME_LIMIT_MS = 30_000;

export function isLocalDelivery(delivery: Delivery | Outcome): delivery is LocalDelivery {
  return 'attempt' in delivery;
}

/** Returns whether an event of a webhook was sent from here without its secret, which isn't known. */
export function isSignedByFolder(delivery: Outcome): boolean {
  return isLocalDelivery(delivery) && delivery.signedBy === '' && delivery.webhookId !== '';
}

/** undefined if there was no response. */
export function statusOf(delivery: Delivery | Outcome): number | undefined {
  const status = ('response' in delivery ? delivery.response?.status : undefined) ?? delivery.statusCode;
  return status === 0 ? undefined : status;
}

/** "Failed · 500 · 1.2 s · Today 14:03" */
export function outcomeLine(delivery: Delivery | Outcome, when: string | undefined, reader: Reader): string {
  const status = statusOf(delivery);
  const word = delivery.isSuccess ? t('Delivered') : failedLabel();
  return joinParts(word, outcomeText({ ...delivery, statusCode: status }, reader), when) ?? word;
}

/**
 * Returns what a failure means and what to do about it, in a line or two; undefined if the event was delivered.
 * @param last the last attempt that is known: a resend, or the service's last attempt
 */
export function meaningOf(delivery: Outcome, { now }: Reader, last: Delivery = delivery): string | undefined {
  if (delivery.isSuccess) return undefined;
  const status = statusOf(delivery);
  if (status === undefined) return meaningOfSilence(delivery);
  const isOtherSecret = (status === 401 || status === 403) && isSignedByFolder(delivery);
  const meaning = isOtherSecret ? signedByFolder() : (BY_STATUS[status] ?? byClass(status))();
  if (isLocalDelivery(delivery) || status < 400 || last.isSuccess) return meaning;
  if (status < 500) return `${meaning} ${t("The service won't try again.")}`;
  return mayBeRetried(delivery, last, now) ? `${meaning} ${t('The service will try again.')}` : meaning;
}

const BY_STATUS: Readonly<Record<number, (() => string) | undefined>> = {
  401: refused,
  403: refused,
  404: notThere,
  405: () =>
    t(
      "The handler doesn't accept POST requests at this path. Check the path, and make sure that its route accepts POST.",
    ),
  410: notThere,
  413: () => t('The body is larger than the handler accepts. Increase the limit of its body parser.'),
  415: () => t("The handler doesn't accept JSON. Check its body parser."),
  429: () => t('The handler is receiving too many requests. Respond with a 2xx status first, and then do the work.'),
  502: unreachable,
  503: unreachable,
  504: unreachable,
};

function refused(): string {
  return t(
    "The handler rejected the request. This usually means that the handler's secret differs from the webhook's, or that the handler verifies a body that was already parsed. The signature is the HMAC-SHA256 of the raw body.",
  );
}

function signedByFolder(): string {
  return t(
    "The handler rejected the request. The event was signed with this folder's secret, so a handler that uses the webhook's secret can't verify it. To copy this folder's secret, select Copy Secret.",
  );
}

function notThere(): string {
  return t('The server has no route for this path. Compare the path in the URL with the route of your handler.');
}

function unreachable(): string {
  return t("The server is reachable, but your handler isn't running or is overloaded.");
}

function byClass(status: number): () => string {
  if (status >= 500) return () => t('The handler failed. Check its log and the response.');
  if (status >= 400) return () => t('The handler rejected the request. The response may say why.');
  if (status >= 300)
    return () =>
      t("The handler redirects to another URL. Webhooks don't follow redirects, so use the final URL instead.");
  return () => t('The handler must respond with a status from 200 to 299.');
}

/** The service's error messages, which say no more than those of Node.js or Go. */
const SILENCES: readonly (readonly [pattern: RegExp, meaning: (host: string) => string])[] = [
  [/demo delivers/i, () => t('The demo delivers events only to this computer. Use a URL on localhost instead.')],
  [/refused/i, unansweredText],
  [/timed? ?out|deadline|ETIMEDOUT|abort/i, tooSlow],
  [
    /ENOTFOUND|EAI_AGAIN|no such host|getaddrinfo/i,
    (host) => t("The host {0} wasn't found. Check the URL of the webhook.", host),
  ],
  [
    /certificate|x509|self.signed|CERT_/i,
    (host) => t("The certificate for {0} isn't trusted. Renew it, or add the missing intermediate certificates.", host),
  ],
  [
    /reset|EOF|hang ?up|closed|EPIPE/i,
    () => t('The connection was closed without a response. Your handler may have crashed. Check its log.'),
  ],
];

function tooSlow(): string {
  return t('There was no response within 30 seconds. Respond with a 2xx status first, and then do the work.');
}

function meaningOfSilence(delivery: Outcome): string {
  const { error = '', duration = 0, request } = delivery;
  // These errors are written here and say what to do.
  if (isLocalDelivery(delivery) && error !== '') return oneLine(error, 300);
  const host = oneLine(URL.parse(request?.url ?? '')?.host ?? '', 100) || t('the URL');
  const known = SILENCES.find(([pattern]) => pattern.test(error))?.[1];
  if (known !== undefined) return known(host);
  if (duration >= TIME_LIMIT_MS) return tooSlow();
  return t('There was no response. Make sure that {0} can be reached from the internet.', host);
}
