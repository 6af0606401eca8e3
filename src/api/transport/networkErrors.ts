import { ApiError, type ApiErrorCause, type ApiErrorReason, isApiError } from '../errors.ts';

interface RequestLine {
  readonly method: string;
  readonly url: string;
}

interface Classification {
  readonly reason: ApiErrorReason;
  readonly why: ApiErrorCause | undefined;
}

// Error codes of Node, OpenSSL, undici and, behind the editor's fetch, Chromium.
const CLASSES: readonly (readonly [code: RegExp, classification: readonly [ApiErrorReason, ApiErrorCause?]])[] = [
  [/^(ENOTFOUND|EAI_|ERR_NAME_)/, ['network', 'nameNotFound']],
  [/^(ECONNREFUSED|ERR_CONNECTION_REFUSED)$/, ['network', 'refused']],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|ERR_CONNECTION_(RESET|CLOSED|ABORTED)|ERR_EMPTY_RESPONSE)$/, ['network', 'reset']],
  [/^UND_ERR_(SOCKET|RES_CONTENT_LENGTH_MISMATCH)$/, ['network', 'reset']],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ERR_(CONNECTION_)?TIMED_OUT)$/, ['timeout']],
  [/^ERR_(PROXY_AUTH|UNEXPECTED_PROXY_AUTH)/, ['network', 'proxyAuthentication']],
  [/^ERR_(PROXY|TUNNEL|SOCKS)_/, ['network', 'proxy']],
  // TLS to the proxy failed for any reason; this doesn't concern the service.
  [/^UND_ERR_PRX_TLS$/, ['network', 'certificate']],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/, ['network', 'plainHttp']],
  [/ALERT_PROTOCOL_VERSION$|^ERR_SSL_(UNSUPPORTED_PROTOCOL|VERSION_OR_CIPHER_MISMATCH)$/, ['network', 'tlsVersion']],
  [/NO_APPLICATION_PROTOCOL$|^ERR_ALPN_NEGOTIATION_FAILED$/, ['network', 'http2Only']],
  [/ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE)$|CLIENT_AUTH/, ['network', 'clientCertificate']],
  [/ALERT_HANDSHAKE_FAILURE$/, ['network', 'tlsHandshake']],
  [/CERT|^UNABLE_TO_|SELF_SIGNED|^HOSTNAME_MISMATCH$|^INVALID_CA$/, ['network', 'certificate']],
  [/^UND_ERR_HEADERS_OVERFLOW$/, ['invalidResponse', 'tooLarge']],
  [/^(HPE_|HTTPParserError$)/, ['invalidResponse', 'notJson']],
  [/^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING)/, ['invalidResponse', 'notJson']],
];

/** The message contains only the code: messages of lower layers may quote URLs and headers. */
export function networkErrorOf(thrown: unknown, request: RequestLine): ApiError {
  if (isApiError(thrown)) return failure(request, thrown.message, thrown);
  const { code, ...classification } = classifyError(thrown);
  return failure(request, code, classification);
}

export function classifyError(thrown: unknown): Classification & { readonly code: string } {
  const codes = codesOf(thrown);
  for (const [pattern, [reason, why]] of CLASSES) {
    const code = codes.find((candidate) => pattern.test(candidate));
    if (code !== undefined) return { code, reason, why };
  }
  return {
    code: codes.find((code) => !code.endsWith('Error')) ?? codes[0] ?? 'failed',
    reason: 'network',
    why: undefined,
  };
}

function failure(
  request: RequestLine,
  words: string,
  { reason, why, status }: Classification & { readonly status?: number | undefined },
): ApiError {
  return new ApiError(reason, `${describeRequest(request)}: ${words}`, { host: hostOf(request), why, status });
}

/** Whether a certificate failed for lack of a trusted authority, so that more authorities may help. */
export function isUntrusted(thrown: unknown): boolean {
  return codesOf(thrown).some((code) => /^UNABLE_TO_|SELF_SIGNED/.test(code));
}

/** Whether the error is a known network failure, rather than a fault of the request. */
export function isNetworkFailure(thrown: unknown): boolean {
  const codes = codesOf(thrown);
  return CLASSES.some(([pattern]) => codes.some((code) => pattern.test(code)));
}

function codesOf(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const chromium = /\bnet::(ERR_\w+)/.exec(error.message)?.slice(1) ?? [];
  const parts = error instanceof AggregateError ? error.errors.slice(0, 4) : [];
  return [...code, ...chromium, error.name, ...[error.cause, ...parts].flatMap((part) => codesOf(part, depth + 1))];
}

/** Method and path. Omits the query, which may hold secrets. */
export function describeRequest({ method, url }: RequestLine): string {
  return `${method} ${URL.parse(url)?.pathname ?? '?'}`;
}

function hostOf({ url }: RequestLine): string {
  return URL.parse(url)?.host ?? '';
}
