import { t } from '@vscode/l10n';
import { type ApiError, type ApiErrorCause, type ApiErrorReason, isAbortError, isApiError } from './errors.ts';

/**
 * Returns one or two sentences for the user: what happened and what to do next. `service` is the host or the name of
 * the connection. The text holds no secret; it includes the message of the service where that helps.
 */
export function describeError(error: unknown, { service }: { readonly service: string }): string {
  if (isApiError(error)) return (byCause(error) ?? BY_REASON[error.reason])(service, error);
  if (isAbortError(error)) return t('Cancelled.');
  // The message of any other error may quote anything, so it goes to the log only.
  return t('Something went wrong. See the log.');
}

type Sentence = (service: string, error: ApiError) => string;

const BY_REASON: Readonly<Record<ApiErrorReason, Sentence>> = {
  unauthorized: () => t('The service refused the key.'),
  forbidden: (_, { detail }) => withDetail(t('The key may not do this.'), detail),
  notFound: (service) => t('{0} does not have it, or no longer. Refresh to see what is there.', service),
  rejected: (service, { detail }) => withDetail(t('{0} did not accept it.', service), detail),
  rateLimited: () => t('Too many requests.'),
  unavailable: (service, { status }) =>
    status === undefined ? t('{0} is unavailable.', service) : t('{0} is unavailable ({1}).', service, status),
  network: (service) => t('No connection to {0}. Check the network and the proxy settings.', service),
  timeout: (service) => t('{0} did not answer in time. Try again, or allow more time in the settings.', service),
  invalidResponse: (service) => t('{0} answered something else. Check the address.', service),
};

const BY_CAUSE: Readonly<Record<ApiErrorCause, Sentence>> = {
  nameNotFound: (service) => t('{0} was not found. Check the address and the network.', service),
  refused: (service) => t('{0} refused the connection. Check the address and the port.', service),
  reset: (service) => t('The connection to {0} broke off. Try again.', service),
  certificate: (service) =>
    t('The certificate of {0} is not trusted. Check it, or the http.systemCertificates setting.', service),
  plainHttp: (service) => t('{0} answers without encryption (http). Check the address and the port.', service),
  tlsVersion: (service) => t("{0} only offers encryption that's too old. TLS 1.2 or later is required.", service),
  tlsHandshake: (service) =>
    t(
      '{0} refused the secure connection. It may require a client certificate or ciphers that are unavailable.',
      service,
    ),
  http2Only: (service) =>
    t('{0} only supports HTTP/2. Set liveStreams.network.client to "editor", which supports it.', service),
  clientCertificate: (service) => t("{0} requires a client certificate, and Live Streams can't provide one.", service),
  proxyAuthentication: () => t('The proxy wants a password. Set it in http.proxy or http.proxyAuthorization.'),
  proxyUnsupported: () =>
    t('This kind of proxy cannot be used directly. Set liveStreams.network.client to "editor", which can.'),
  proxy: (service) => t('The proxy did not connect to {0}. Check the http.proxy setting.', service),
  redirect: (service) => t('{0} sent the request on to another address. Enter the address it really has.', service),
  html: (service) => t('{0} answered something else (HTML). Check the address or a sign-in page.', service),
  notJson: (service) => t('{0} answered something that cannot be read. Check the address.', service),
  wrongShape: (service) => t('{0} answered something unexpected. Check the address.', service),
  tooLarge: (service) => t('{0} answered more than can be read.', service),
  empty: (service) => t('{0} answered nothing. Check the address.', service),
  notOffered: (service) => t('{0} does not offer this.', service),
  changeNotFound: (service) => t("{0} couldn't make this change (404). Try again in a moment.", service),
};

function byCause({ why, reason }: ApiError): Sentence | undefined {
  const isFiner =
    reason === 'network' || reason === 'invalidResponse' || why === 'notOffered' || why === 'changeNotFound';
  return why !== undefined && isFiner ? BY_CAUSE[why] : undefined;
}

function withDetail(sentence: string, detail: string | undefined): string {
  return detail === undefined ? sentence : t('{0} It says: {1}', sentence, detail);
}
