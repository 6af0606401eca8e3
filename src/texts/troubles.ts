import { t } from '@vscode/l10n';
import { describeError, nameService } from '../api/describeError.ts';
import type { ApiError, ApiErrorReason } from '../api/errors.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { hasFailedSinceRefusal } from '../model/store/streams.ts';
import { formatRecent, type Reader } from '../util/dates.ts';
import { oneLine } from '../util/text.ts';
import { nameOfConnection } from './names.ts';

/** Describes an error in a sentence or two, for a row or the view's message. */
export function troubleSentence(error: ApiError, snapshot: Snapshot): string {
  return nameService(serviceOf(error, snapshot), (service) => SENTENCES[error.reason](error, service));
}

/** The same for the list of all sessions, which a service may lack although it has streams. */
export function recordingsTroubleSentence(error: ApiError, snapshot: Snapshot): string {
  if (error.reason !== 'notFound') return troubleSentence(error, snapshot);
  return nameService(serviceOf(error, snapshot), (service) =>
    t("{0} doesn't support listing the sessions of all streams (404).", service),
  );
}

/** Says why the known state of a connection may be out of date. */
export function outdatedReason(snapshot: Snapshot): string | undefined {
  const { connection, trouble } = snapshot;
  const last = trouble && troubleSentence(trouble.error, snapshot);
  if (connection.kind !== 'refused') return last;
  if (last === undefined || !hasFailedSinceRefusal(snapshot)) return keyRejectedSentence();
  return t('{0} Before that, the API key was rejected.', last);
}

export function ageSentence(loadedAt: number | undefined, reader: Reader): string | undefined {
  const when = formatRecent(loadedAt, reader);
  return when === undefined ? undefined : t('Last updated: {0}.', when);
}

/** The same for a narrow row, in a word or two where possible. */
export function outdatedWords(snapshot: Snapshot): string | undefined {
  const { connection, trouble } = snapshot;
  const words = trouble && troubleWords(trouble.error);
  return words ?? (connection.kind === 'refused' ? keyRejectedWords() : outdatedReason(snapshot));
}

/** In a word or two; undefined if only a sentence can say it. */
export function troubleWords({ reason, why }: ApiError): string | undefined {
  switch (reason) {
    case 'notFound':
      return t('API not found (404)');
    case 'rateLimited':
      return t('too many requests');
    case 'invalidResponse':
      return t('unexpected response');
    case 'forbidden':
      return accessDeniedWords();
    case 'network':
      return why === 'proxyAuthentication' ? t('proxy password required') : t('not reachable');
    case 'timeout':
      return t('not responding');
    case 'unavailable':
      return t('service unavailable');
    default:
      return undefined;
  }
}

type Sentence = (error: ApiError, host: string) => string;

const SENTENCES: Readonly<Record<ApiErrorReason, Sentence>> = {
  unauthorized: () => keyRejectedSentence(),
  // Only the service knows why: the account may be suspended, or the key is for browsers.
  forbidden: ownSentence,
  notFound: (_error, host) => t("Couldn't find the API on {0} (404). Check the URL.", host),
  rejected: ownSentence,
  rateLimited: (_error, host) => t('Too many requests to {0}.', host),
  unavailable: ownSentence,
  network: (error, host) => networkSentence(error, host),
  timeout: (_error, host) => slowSentence(host),
  invalidResponse: ownSentence,
};

/** With the service's own words, if it said why. */
function ownSentence(error: ApiError, host: string): string {
  return oneLine(describeError(error, { service: host }), 400);
}

function networkSentence(error: ApiError, host: string): string {
  switch (error.why) {
    case 'certificate':
      return t("The certificate for {0} isn't trusted.", host);
    case 'plainHttp':
    case 'tlsVersion':
    case 'tlsHandshake':
    case 'http2Only':
    case 'clientCertificate':
      return describeError(error, { service: host });
    case 'proxyAuthentication':
      return t('The proxy requires a password.');
    case 'proxyUnsupported':
      return t("This type of proxy isn't supported.");
    case 'proxy':
      return t("The proxy couldn't connect to {0}.", host);
    default:
      return t("Couldn't reach {0}.", host);
  }
}

/** Returns the service's host, or its connection if the host doesn't say which of several it is. */
function serviceOf({ host }: ApiError, snapshot: Snapshot): string | undefined {
  return snapshot.showsAllConnections ? nameOfConnection(snapshot) : (host ?? hostOf(snapshot));
}

function hostOf({ connection }: Snapshot): string | undefined {
  if (connection.kind === 'none' || connection.kind === 'starting') return undefined;
  return URL.parse(connection.info.baseUrl)?.host ?? connection.info.name;
}

export function slowSentence(host: string): string {
  return t('{0} took too long to respond.', host);
}

export function keyRejectedSentence(): string {
  return t('The API key was rejected.');
}

export function keyRejectedWords(): string {
  return t('API key rejected');
}

export function accessDeniedWords(): string {
  return t('access denied');
}

export function keyRequiredWords(): string {
  return t('API key required');
}

export function keyMissingSentence(connection: string): string {
  return t('The API key for "{0}" is no longer in secret storage.', connection);
}
