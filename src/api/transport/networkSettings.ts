/** What decides how a request travels; read anew before each. Where a field is missing its default holds. */
export interface NetworkSettings {
  /** For a whole call, retries included. */
  readonly timeoutMs: number;
  /** http.proxy: an address, credentials in it perhaps. Empty or missing: the environment's variables decide. */
  readonly proxy?: string | undefined;
  /** http.proxyAuthorization: the value of the Proxy-Authorization header. */
  readonly proxyAuthorization?: string | undefined;
  /** http.noProxy: hosts, suffixes, addresses, CIDR ranges or *, each with a port perhaps. NO_PROXY is added to it. */
  readonly noProxy?: readonly string[];
  /** http.proxySupport: with 'off' every request goes directly; the others mean the same here. Default 'override'. */
  readonly proxySupport?: 'off' | 'on' | 'override' | 'fallback';
  /** http.proxyStrictSSL: false takes any certificate. Default true. */
  readonly strictSSL?: boolean;
  /** http.systemCertificates: whether the operating system's are tried when others do not do. Default true. */
  readonly systemCertificates?: boolean;
  /** HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in capitals or not. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}
