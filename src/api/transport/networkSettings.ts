/**
 * How requests travel; read before each request. Missing fields have their defaults. The fields are named after the
 * http.* settings of the editor.
 */
export interface NetworkSettings {
  /** For a whole call, retries included. */
  readonly timeoutMs: number;
  /** http.proxy: a URL, possibly with credentials. If empty or missing, the environment variables apply. */
  readonly proxy?: string | undefined;
  readonly proxyAuthorization?: string | undefined;
  /** http.noProxy: hosts, suffixes, IP addresses, CIDR ranges or *, each optionally with a port. NO_PROXY is added. */
  readonly noProxy?: readonly string[];
  /** http.proxySupport: only 'off', which sends all requests directly, differs. Default: 'override'. */
  readonly proxySupport?: 'off' | 'on' | 'override' | 'fallback';
  /** http.proxyStrictSSL: false accepts any certificate. Default: true. */
  readonly strictSSL?: boolean;
  /** http.systemCertificates: whether to fall back to the certificates of the operating system. Default: true. */
  readonly systemCertificates?: boolean;
  /** HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in upper or lower case. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}
