import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import type { ApiError, ApiErrorCause, ApiErrorReason } from '../api/errors.ts';
import type { Snapshot } from '../model/store/snapshot.ts';

/** Describes an error in one sentence for a row or the view's message. Contains no text of the service. */
export function troubleSentence(error: ApiError, snapshot: Snapshot): string {
  return SENTENCES[error.reason](error, error.host ?? hostOf(snapshot));
}

/** The same for the list of all sessions, which a service may lack although it has streams. */
export function recordingsTroubleSentence(error: ApiError, snapshot: Snapshot): string {
  if (error.reason !== 'notFound') return troubleSentence(error, snapshot);
  return t('{0} does not list the sessions of all streams (404).', error.host ?? hostOf(snapshot));
}

type Sentence = (error: ApiError, host: string) => string;

const SENTENCES: Readonly<Record<ApiErrorReason, Sentence>> = {
  unauthorized: () => t('The service refused the key.'),
  forbidden: () => t('The key may not do this.'),
  notFound: (_error, host) => t('{0} has no streams at this address (404). Check the address.', host),
  rejected: (error, host) => t('{0} did not accept the request ({1}).', host, error.status ?? '400'),
  rateLimited: () => t('Too many requests.'),
  unavailable: (error, host) =>
    error.status === undefined ? t('{0} is unavailable.', host) : t('{0} is unavailable ({1}).', host, error.status),
  network: (error, host) => networkSentence(error, host),
  timeout: (_error, host) => t('{0} did not answer in time.', host),
  invalidResponse: (error, host) =>
    t('{0} answered something else ({1}). Check the address or a sign-in page.', host, wordOf(error.why)),
};

function networkSentence(error: ApiError, host: string): string {
  switch (error.why) {
    case 'certificate':
      return t('The certificate of {0} is not trusted.', host);
    case 'plainHttp':
    case 'tlsVersion':
    case 'tlsHandshake':
    case 'http2Only':
    case 'clientCertificate':
      return describeError(error, { service: host });
    case 'proxyAuthentication':
      return t('The proxy wants a password.');
    case 'proxyUnsupported':
      return t('This kind of proxy is not supported.');
    case 'proxy':
      return t('The proxy does not lead to {0}.', host);
    default:
      return t('No connection to {0}.', host);
  }
}

function wordOf(why: ApiErrorCause | undefined): string {
  switch (why) {
    case 'html':
      return t('HTML');
    case 'redirect':
      return t('a redirect');
    case 'tooLarge':
      return t('too large');
    case 'empty':
      return t('nothing');
    case 'wrongShape':
      return t('no list');
    default:
      return t('no JSON');
  }
}

function hostOf({ connection }: Snapshot): string {
  if (connection.kind === 'none' || connection.kind === 'starting') return t('The service');
  return URL.parse(connection.info.baseUrl)?.host ?? connection.info.name;
}
