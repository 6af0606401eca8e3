import { t } from '@vscode/l10n';
import { formatWait } from '../util/format.ts';
import { type ApiError, type ApiErrorCause, type ApiErrorReason, isAbortError, isApiError } from './errors.ts';

export interface DescribeOptions {
  /** The host or the name of the connection, if known. */
  readonly service: string | undefined;
  /** If given, the sentence says how long to wait before the next attempt, if the service does. */
  readonly now?: number;
}

/** Returns what happened and what to do next, without secrets. */
export function describeError(error: unknown, { service, now }: DescribeOptions): string {
  if (isApiError(error)) {
    const sentence = nameService(service, (name) => (byCause(error) ?? BY_REASON[error.reason])(name, error));
    const wait = now === undefined ? undefined : waitText(error, now);
    return wait === undefined ? sentence : t('{0} Try again in {1}.', sentence, wait);
  }
  if (isAbortError(error)) return t('Canceled.');
  // The message of any other error may quote anything, so it goes to the log only.
  return t('Something went wrong. See the log for details.');
}

/** Returns how long to wait before the next attempt, such as "30 s"; undefined if the service doesn't say. */
function waitText({ retryAt }: ApiError, now: number): string | undefined {
  return formatWait(retryAt === undefined ? undefined : Math.max(1, (retryAt - now) / 1000));
}

/** Returns a sentence about a service by its host or connection, or about "the service" if neither is known. */
export function nameService(service: string | undefined, sentenceOf: (name: string) => string): string {
  if (service !== undefined) return sentenceOf(service);
  const sentence = sentenceOf(t('the service'));
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}

type Sentence = (service: string, error: ApiError) => string;

const BY_REASON: Readonly<Record<ApiErrorReason, Sentence>> = {
  unauthorized: () => t('The API key was rejected.'),
  // There are many possible reasons: the service's own words are better than a guess.
  forbidden: (service, error) =>
    error.detail === undefined ? t("This API key doesn't have permission to do that.") : rejected(service, error),
  notFound: (service) => t('Not found on {0}. It may have been deleted. Refresh the view.', service),
  rejected,
  rateLimited: () => t('Too many requests.'),
  unavailable: (service, { status, detail }) => {
    if (status === undefined) return t('{0} is unavailable.', service);
    if (detail === undefined) return t('{0} is unavailable ({1}).', service, status);
    return t('{0} responded with an error ({1}): "{2}"', service, status, asSentence(detail));
  },
  network: (service) => t("Couldn't reach {0}. Check your network and proxy settings.", service),
  timeout: (service) => t('{0} took too long to respond. Try again, or increase the timeout in Settings.', service),
  invalidResponse: (service) => t('Unexpected response from {0}. Check the URL.', service),
};

const BY_CAUSE: Readonly<Record<ApiErrorCause, Sentence>> = {
  nameNotFound: (service) => t("Couldn't find {0}. Check the URL and your network connection.", service),
  refused: (service) => t('{0} refused the connection. Check the URL and port.', service),
  reset: (service) => t('Lost the connection to {0}.', service),
  certificate: (service) =>
    t("The certificate for {0} isn't trusted. Check the certificate and the http.systemCertificates setting.", service),
  plainHttp: (service) => t("{0} doesn't use HTTPS. Check the URL and port.", service),
  tlsVersion: (service) => t("{0} doesn't support TLS 1.2 or later.", service),
  tlsHandshake: (service) =>
    t('{0} refused the secure connection. It may require a client certificate or an unsupported cipher.', service),
  http2Only: (service) => t('{0} supports only HTTP/2. Set liveStreams.network.client to "editor".', service),
  clientCertificate: (service) => t("{0} requires a client certificate, which isn't supported.", service),
  proxyAuthentication: () => t('The proxy requires a password. Set it in http.proxy or http.proxyAuthorization.'),
  proxyUnsupported: () => t('To use this type of proxy, set liveStreams.network.client to "editor".'),
  proxy: (service) => t("The proxy couldn't connect to {0}. Check the http.proxy setting.", service),
  redirect: (service) => t('{0} redirected the request. Enter the URL that it redirects to.', service),
  html: (service) => t('{0} returned a web page. Check the URL, or check for a sign-in page.', service),
  notJson: (service) => t("Couldn't read the response from {0}. Check the URL.", service),
  wrongShape: (service) => t('Unexpected data in the response from {0}. Check the URL.', service),
  tooLarge: (service) => t('The response from {0} is too large.', service),
  empty: (service) => t('{0} returned an empty response. Check the URL.', service),
  notOffered: (service) => t("{0} doesn't support this.", service),
  changeNotFound: (service) => t("{0} couldn't make this change. Try again in a moment.", service),
};

function byCause({ why, reason }: ApiError): Sentence | undefined {
  const isFiner =
    reason === 'network' || reason === 'invalidResponse' || why === 'notOffered' || why === 'changeNotFound';
  return why !== undefined && isFiner ? BY_CAUSE[why] : undefined;
}

function rejected(service: string, { status = 400, detail }: ApiError): string {
  if (detail === undefined) return t('{0} rejected the request ({1}).', service, status);
  return t('{0} rejected the request: "{1}"', service, asSentence(detail));
}

/** Adds a missing full stop to a service's message, because other sentences may follow. */
export function asSentence(detail: string): string {
  return /[.!?…。！？]$/u.test(detail) ? detail : `${detail}.`;
}
