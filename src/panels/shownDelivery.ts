import { t } from '@vscode/l10n';
import type { Stream } from '../api/types.ts';
import type { Delivery, DeliveryDetails, Webhook } from '../api/webhooks.ts';
import { curlCommand } from '../model/webhooks/curlCommand.ts';
import { type DeliveryParts, type MaskedDelivery, maskDelivery } from '../model/webhooks/maskDelivery.ts';
import { isRetryOf } from '../model/webhooks/retries.ts';
import { checkSignature, signatureOf } from '../model/webhooks/signature.ts';
import type { LocalDelivery } from '../model/webhooks/state.ts';
import { loadingLabel, setApiKeyLabel } from '../texts/labels.ts';
import { copySecretLabel, editWebhookLabel, enterSecretLabel, streamLabel } from '../texts/lateLabels.ts';
import { nameOf } from '../texts/names.ts';
import { keyRejectedSentence } from '../texts/troubles.ts';
import { localUrlText, urlHost } from '../texts/webhooks.ts';
import { formatDateTime, formatDayAndClock, type Reader } from '../util/dates.ts';
import { formatCount } from '../util/format.ts';
import { formatBytes } from '../util/formatBytes.ts';
import { joinParts, joinWords, oneLine } from '../util/text.ts';
import type {
  DeliveryButton,
  ShownAnswer,
  ShownAttempt,
  ShownDelivery,
  ShownRequest,
  ShownSignature,
} from '../webview/delivery/messages.ts';
import { isLocalDelivery, isSignedByFolder, meaningOf, outcomeLine, statusOf } from './deliveryOutcome.ts';
import { type NotOpen, wayButtons } from './ownConnection.ts';

const MOST_RECORDED = 1024;
const MOST_SIGNATURE = 500;
const MOST_OTHERS = 6;

export interface DeliverySubject<T extends DeliveryDetails = DeliveryDetails | LocalDelivery> {
  readonly delivery: T;
  /** undefined if it isn't known. */
  readonly secret: string | undefined;
  /** The stream that it's about, if it's known. */
  readonly stream: Stream | undefined;
}

/** The parts of a delivery that are costly to find out and don't change. */
export interface ReadDelivery<T extends DeliveryDetails = DeliveryDetails | LocalDelivery> extends DeliverySubject<T> {
  readonly parts: MaskedDelivery;
  readonly signature: ShownSignature | undefined;
}

export interface DeliveryView {
  readonly isRevealed: boolean;
  /** Why its connection isn't open; undefined if it is. */
  readonly elsewhere: NotOpen | undefined;
  /** Whether the service rejects the key of that connection. */
  readonly needsKey: boolean;
  /** The webhook to which it was delivered, if it's listed. */
  readonly webhook: Webhook | undefined;
  /** The last replay to this computer. */
  readonly replay: ReadDelivery<LocalDelivery> | undefined;
  /** The result of the last Resend in this window. */
  readonly resent: ReadDelivery<DeliveryDetails> | undefined;
  /** The last automatic retry of the service. */
  readonly retried: Delivery | undefined;
  /** All listed deliveries of its event. */
  readonly sent: readonly Delivery[];
}

export function readDelivery<T extends DeliveryDetails>(subject: DeliverySubject<T>, reader: Reader): ReadDelivery<T> {
  const { delivery, secret, stream } = subject;
  const parts = maskDelivery(delivery, { known: [stream?.streamKey], signing: secret });
  return { ...subject, parts, signature: shownSignature(subject, reader) };
}

export function shownDelivery(read: ReadDelivery, view: DeliveryView, reader: Reader): ShownDelivery {
  const { delivery, signature } = read;
  const { isRevealed } = view;
  const partsOf = ({ parts }: ReadDelivery) => (isRevealed ? parts.revealed : parts.masked);
  const shown = partsOf(read);
  const attempts = attemptsOf(delivery, view);
  const whenOf = formatterFor(attempts, reader);
  const when = attempts.length > 1 ? whenOf(delivery) : undefined;
  const isDelivered = (lastTry(view) ?? delivery).isSuccess;
  const answerTo = (of: ReadDelivery, heading: string, at: string | undefined) =>
    shownAnswer(of.delivery, partsOf(of), joinParts(heading, at) ?? '');
  return {
    title: joinParts(deliveryTitle(delivery.event), streamNameOf(read)) ?? '',
    notice: noticeOf(view),
    attempts: attempts.map((attempt) => shownAttempt(attempt, attempts, { delivery, view, reader, whenOf })),
    links: view.elsewhere === undefined ? [...streamLinks(read), ...webhookLinks(view)] : [],
    origin: originOf(delivery),
    buttons: view.elsewhere === undefined ? buttonsOf(delivery, view) : [],
    isDone: isDelivered,
    answers: [
      ...repeatsOf(view).map(({ repeat, heading }) => answerTo(repeat, heading, whenOf(repeat.delivery))),
      answerTo(read, t('Response'), when),
    ],
    request: { heading: joinParts(t('Request'), when) ?? '', ...shownRequest(read, shown, view, reader) },
    signature: view.elsewhere === undefined ? signature : withoutCommands(signature),
  };
}

/** Returns the last replay and the last resend whose responses are known, newest first. */
function repeatsOf({ replay, resent }: DeliveryView) {
  const isKnown = resent?.delivery.response !== undefined;
  const repeats = [
    ...(replay === undefined ? [] : [{ repeat: replay, heading: t('Response to Replay') }]),
    ...(isKnown ? [{ repeat: resent, heading: t('Response to Resend') }] : []),
  ];
  return repeats.toSorted((a, b) => b.repeat.delivery.createdAt - a.repeat.delivery.createdAt);
}

function noticeOf({ elsewhere, needsKey }: DeliveryView): ShownDelivery['notice'] {
  const text = needsKey ? keyRejectedSentence() : elsewhere?.sentence;
  if (text === undefined) return undefined;
  const setKey: DeliveryButton = { label: setApiKeyLabel(), act: 'setApiKey' };
  return { text, isFailure: true, buttons: elsewhere === undefined ? [setKey] : wayButtons(elsewhere) };
}

/** Secrets are copied and entered in the open connection. */
function withoutCommands(signature: ShownSignature | undefined): ShownSignature | undefined {
  return signature && { ...signature, buttons: signature.buttons.filter(({ act }) => act === 'copySignature') };
}

export function deliveryTitle(event: string): string {
  return oneLine(event, 100) || t('Webhook delivery');
}

/** Returns what the page shows without a delivery: that it's loading, or why there's none. */
export function noDelivery(title: string, text: string | undefined, buttons: readonly DeliveryButton[]): ShownDelivery {
  const notice = { text: text ?? loadingLabel(), isFailure: false, buttons: [] };
  const nothing = { attempts: [], links: [], origin: undefined, isDone: false };
  return { title, notice, ...nothing, buttons, answers: [], request: undefined, signature: undefined };
}

/** Returns what the page shows if its connection isn't open and the delivery hasn't been read. */
export function deliveryElsewhere(title: string, elsewhere: NotOpen): ShownDelivery {
  return noDelivery(title, elsewhere.sentence, wayButtons(elsewhere));
}

function streamNameOf({ delivery, stream }: ReadDelivery): string {
  return oneLine(stream?.name ?? delivery.streamName ?? '', 60);
}

function streamLinks(read: ReadDelivery): ShownDelivery['links'] {
  const { streamId } = read.delivery;
  if (streamId === undefined) return [];
  const name = streamNameOf(read) || oneLine(streamId, 60);
  return [{ label: streamLabel(), button: { label: name, hint: t('Show details of "{0}"', name), act: 'showStream' } }];
}

function webhookLinks({ webhook }: DeliveryView): ShownDelivery['links'] {
  if (webhook === undefined) return [];
  const label = nameOf(webhook);
  const hint = joinWords(editWebhookLabel(), label);
  return [{ label: t('Webhook'), button: { label, hint, act: 'editWebhook' } }];
}

/** A resend that failed doesn't end the service's own retries. */
function lastTry({ resent, retried }: DeliveryView): Delivery | undefined {
  return resent?.delivery.isSuccess === true ? resent.delivery : retried;
}

type Attempt = DeliveryDetails | LocalDelivery;

interface Showing {
  readonly delivery: Attempt;
  readonly view: DeliveryView;
  readonly reader: Reader;
  readonly whenOf: (attempt: Attempt) => string | undefined;
}

/** Returns all known times that its event was sent, newest first; of its replays, only the last. */
function attemptsOf(delivery: Attempt, { replay, resent, retried, sent }: DeliveryView): readonly Attempt[] {
  const others = new Map<string, Attempt>();
  for (const each of [resent?.delivery, retried, ...sent]) {
    if (each === undefined || each.id === delivery.id || each.id === replay?.delivery.id) continue;
    others.set(each.id, isLocalDelivery(each) ? each : listedAttempt(delivery, each));
  }
  const newest = newestFirst([...others.values()]).slice(0, MOST_OTHERS);
  return newestFirst([...(replay === undefined ? [] : [replay.delivery]), ...newest, delivery]);
}

/** The list doesn't say why a repeated delivery got no response. */
function listedAttempt(delivery: Attempt, listed: Delivery): Attempt {
  const error = listed.statusCode === undefined ? delivery.error : undefined;
  return { ...delivery, ...listed, request: delivery.request, error, response: undefined };
}

/** Adds seconds if two of the attempts would have the same time otherwise. */
function formatterFor(attempts: readonly Attempt[], reader: Reader): (attempt: Attempt) => string | undefined {
  const minutes = new Set(attempts.map(({ createdAt }) => formatDayAndClock(createdAt, reader)));
  const clock = minutes.size < attempts.length ? 'seconds' : 'clock';
  return ({ createdAt }) => formatDayAndClock(createdAt, reader, clock);
}

function newestFirst(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.toSorted((a, b) => b.createdAt - a.createdAt);
}

function shownAttempt(
  attempt: Attempt,
  attempts: readonly Attempt[],
  { delivery, view, reader, whenOf }: Showing,
): ShownAttempt {
  const isThis = attempt === delivery;
  const isOnly = attempts.length === 1;
  const text = joinParts(
    wordOf(attempt, attempts, view),
    outcomeLine(attempt, whenOf(attempt), reader),
    isThis && !isOnly && t('shown below'),
  );
  const label = t('Show Delivery Details');
  const hint = joinWords(label, formatDateTime(attempt.createdAt, reader));
  const button: DeliveryButton = { label, hint, act: 'openDelivery', target: attempt.id };
  return {
    tone: toneOf(attempt),
    text: text ?? '',
    meaning: attempt === attempts[0] ? meaningOf(attempt, reader, lastTry(view) ?? delivery) : undefined,
    button: isThis || view.elsewhere !== undefined ? undefined : button,
  };
}

/** Returns "Retried" if it was sent after the wait of an automatic retry; undefined for the first time it was sent. */
function wordOf(attempt: Attempt, attempts: readonly Attempt[], { retried }: DeliveryView): string | undefined {
  const isReplay = (each: Attempt) => isLocalDelivery(each) && each.replayOf !== undefined;
  if (isReplay(attempt)) return t('Replayed to {0}', localUrlText(attempt.request?.url ?? ''));
  const sent = attempts.filter((each) => !isReplay(each));
  const before = sent[sent.indexOf(attempt) + 1];
  if (before === undefined) return undefined;
  const isAutomatic = isLocalDelivery(attempt) || isRetryOf(attempt, before);
  // Without the ID of its event, it was found by its time alone.
  const isFoundByTime = attempt.id === retried?.id && retried.eventId === undefined;
  return isAutomatic || isFoundByTime ? t('Retried') : t('Resent');
}

function toneOf({ isSuccess }: Delivery): ShownAttempt['tone'] {
  return isSuccess ? 'good' : 'failed';
}

function originOf(delivery: ReadDelivery['delivery']): string | undefined {
  if (!isLocalDelivery(delivery)) return undefined;
  const { attempt, isTest } = delivery;
  return joinParts(t('Sent from this computer'), isTest && t('test event'), attempt > 1 && t('attempt {0}', attempt));
}

function buttonsOf(delivery: ReadDelivery['delivery'], { replay, needsKey }: DeliveryView): readonly DeliveryButton[] {
  const { request } = delivery;
  const canResend = !isLocalDelivery(delivery) && !needsKey;
  const label = t('Resend');
  const hint = joinWords(label, request && urlHost(request.url));
  const resend: DeliveryButton | false = canResend && { label, hint, act: 'resendDelivery' };
  // The first is the primary one until its event is delivered.
  const all: readonly (DeliveryButton | false)[] = [
    resend,
    request !== undefined && { label: t('Replay to Localhost'), act: 'replayDelivery' },
    request !== undefined &&
      curlCommand({ ...request, body: '' }) !== undefined && { label: t('Copy as cURL'), act: 'copyCurl' },
    // Later replays don't ask for the destination.
    request !== undefined &&
      (replay !== undefined || isLocalDelivery(delivery)) && {
        label: t('Replay to Another URL…'),
        act: 'replayElsewhere',
      },
  ];
  return all.filter((button) => button !== false);
}

function shownAnswer(delivery: ReadDelivery['delivery'], { answer }: DeliveryParts, heading: string): ShownAnswer {
  const { response, error } = delivery;
  const status = statusOf(delivery);
  if (status === undefined) {
    const words = isLocalDelivery(delivery) ? '' : visible(oneLine(error ?? '', 300));
    return { heading, line: undefined, body: undefined, note: words || t('No response.') };
  }
  const line = oneLine(`${status} ${response?.statusText ?? ''}`, 100);
  const none = (note: string): ShownAnswer => ({ heading, line, body: undefined, note });
  if (response === undefined) return none(t("The response wasn't logged."));
  if (response.body === undefined) return none(t("The response isn't text."));
  if (response.body === '') return none(t('The response has no body.'));
  const isCut = response.body.length >= MOST_RECORDED;
  const note = isCut ? t('The service logs only the first 1,024 characters.') : undefined;
  return { heading, line, body: { text: visible(answer), note }, note: undefined };
}

function shownRequest(
  { delivery: { request }, parts }: ReadDelivery,
  shown: DeliveryParts,
  { isRevealed }: DeliveryView,
  reader: Reader,
): Omit<ShownRequest, 'heading'> {
  if (request === undefined) {
    const note = t("The service didn't log this request.");
    return { line: '', headersHeading: undefined, headers: [], body: undefined, note };
  }
  const hasSecrets = JSON.stringify(parts.masked) !== JSON.stringify(parts.revealed);
  const reveal: DeliveryButton = isRevealed
    ? { label: t('Hide Secrets'), icon: 'eyeClosed', act: 'hide' }
    : { label: t('Reveal Secrets'), hint: t('Reveal secrets, such as stream keys'), icon: 'eye', act: 'reveal' };
  const copy: DeliveryButton = { label: t('Copy Body'), icon: 'copy', act: 'copyBody' };
  const count = Object.keys(request.headers).length;
  return {
    line: visible(`${oneLine(request.method, 20)} ${shown.url}`),
    headersHeading: count === 0 ? undefined : t('Headers ({0})', formatCount(count, reader.locale) ?? ''),
    headers: shown.headers.map(({ name, value }) => ({ name: visible(name), value: visible(value) })),
    body: {
      text: visible(shown.body),
      note: noteOnBody(request.body, parts, reader),
      buttons: [...(hasSecrets ? [reveal] : []), ...(request.body === '' ? [] : [copy])],
    },
    note: request.body === '' ? t('The request has no body.') : undefined,
  };
}

function noteOnBody(body: string, { isCut, isJson }: MaskedDelivery, { locale }: Reader): string | undefined {
  if (isCut) {
    const size = formatBytes(Buffer.byteLength(body), locale) ?? '';
    return t('Only the beginning of the body ({0}) is shown. To get all of it, copy the body.', size);
  }
  return isJson || body === '' ? undefined : t("The body isn't JSON.");
}

function shownSignature({ delivery, secret }: DeliverySubject, reader: Reader): ShownSignature | undefined {
  const { request } = delivery;
  if (request === undefined) return undefined;
  const heading = t('Signature');
  const value = signatureOf(request.headers);
  if (value === undefined) {
    return { heading, tone: 'warning', verdict: t("The request isn't signed."), value: undefined, buttons: [] };
  }
  const copy: DeliveryButton = { label: t('Copy Signature'), act: 'copySignature' };
  const shown = { heading, value: visible(value.slice(0, MOST_SIGNATURE)) };
  const checked = checkSignature(value, request.body, secret ?? '');
  const enter = checked === 'malformed' ? [] : enterSecretButtons(delivery);
  if (secret === undefined && checked !== 'malformed')
    return { heading, tone: undefined, verdict: unverifiedText(delivery), value: undefined, buttons: enter };
  const copySecret: DeliveryButton = { label: copySecretLabel(), act: 'copyWebhookSecret' };
  const others = [...(secret === undefined ? [] : [copySecret]), ...(checked === 'invalid' ? enter : [])];
  const { tone, verdict } = VERDICTS[checked](signedAt(value, reader));
  const ofFolder = checked === 'valid' && isSignedByFolder(delivery) ? ` ${folderSecretText()}` : '';
  return { ...shown, tone, verdict: `${verdict}${ofFolder}`, buttons: [copy, ...others] };
}

function folderSecretText(): string {
  return t("This event is signed with this folder's secret. Your handler needs that secret instead of the webhook's.");
}

/** Returns none for a delivery that was signed here. */
function enterSecretButtons(delivery: ReadDelivery['delivery']): readonly DeliveryButton[] {
  const isSignedHere = isLocalDelivery(delivery) && delivery.signature !== 'recorded';
  return isSignedHere || delivery.webhookId === '' ? [] : [{ label: enterSecretLabel(), act: 'enterSecret' }];
}

function unverifiedText(delivery: ReadDelivery['delivery']): string {
  if (isLocalDelivery(delivery) && delivery.signature === 'recorded')
    return t("The webhook's secret is unknown, so the delivery was replayed with its original signature.");
  return t("Not verified, because the webhook's secret is unknown.");
}

const VERDICTS: Readonly<
  Record<ReturnType<typeof checkSignature>, (when: string | undefined) => Pick<ShownSignature, 'tone' | 'verdict'>>
> = {
  valid: (when) => ({
    tone: 'good',
    verdict:
      when === undefined
        ? t('The signature is valid: it matches the body and the secret.')
        : t('The signature is valid: it matches the body and the secret. Signed {0}.', when),
  }),
  invalid: () => ({
    tone: 'failed',
    verdict: t(
      "The signature doesn't match the saved secret. The secret may have been changed, or the logged body may differ from what was sent.",
    ),
  }),
  malformed: () => ({
    tone: 'failed',
    verdict: t("The header isn't in the format t=…,v1=…, so handlers can't verify it."),
  }),
};

function signedAt(header: string, reader: Reader): string | undefined {
  const time = /(?:^|,)\s*t=(\d{1,16})(?:,|$)/.exec(header)?.[1];
  return time === undefined ? undefined : formatDateTime(Number(time), reader);
}

// Controls that would reorder or hide what follows are written as JSON can write them.
const UNSEEN = /[^\P{Cc}\t\n\r]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
