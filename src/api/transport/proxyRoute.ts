import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { decodePercent } from '../../util/text.ts';
import { bareHost, isInRange, isLoopback } from '../loopback.ts';

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
  /** HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, and NO_PROXY, in upper or lower case. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export type Route =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'proxy';
      /** Scheme, host, and port, without credentials. */
      readonly uri: string;
      readonly token: string | undefined;
    }
  /** The transport doesn't support this proxy: SOCKS, PAC, or an invalid URL. */
  | { readonly kind: 'unsupported' };

const DIRECT: Route = { kind: 'direct' };

/** Loopback hosts and matches of noProxy are direct. http.proxy takes precedence over the environment. */
export function routeOf(address: string, settings: NetworkSettings): Route {
  const url = new URL(address);
  if (settings.proxySupport === 'off' || isLoopback(url.hostname)) return DIRECT;
  const proxy = settings.proxy?.trim() || proxyOfEnvironment(url, settings);
  if (proxy === undefined) return DIRECT;
  const exceptions = [...(settings.noProxy ?? []), ...splitNoProxy(variable(settings, 'no_proxy'))];
  return isNoProxy(url, exceptions) ? DIRECT : parseProxy(proxy, settings.proxyAuthorization);
}

function proxyOfEnvironment({ protocol }: URL, settings: NetworkSettings): string | undefined {
  const names = protocol === 'https:' ? ['https_proxy', 'all_proxy', 'http_proxy'] : ['http_proxy', 'all_proxy'];
  return names.map((name) => variable(settings, name)).find((value) => value !== undefined);
}

function variable({ env = {} }: NetworkSettings, name: string): string | undefined {
  return env[name]?.trim() || env[name.toUpperCase()]?.trim() || undefined;
}

function parseProxy(proxy: string, authorization: string | undefined): Route {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return { kind: 'unsupported' };
  const token = authorization?.trim() || basicToken(url);
  return { kind: 'proxy', uri: url.origin, token };
}

function basicToken({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  // Some passwords contain a bare %; they are used as they are.
  return `Basic ${Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString('base64')}`;
}

export function splitNoProxy(value: string | undefined): readonly string[] {
  return (value ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
}

/**
 * Whether requests to this URL bypass the proxy. An entry is * (everything), a host (with its subdomains, with or
 * without a leading "." or "*."), an IP address or a CIDR range; a port restricts the entry to that port.
 */
export function isNoProxy(url: URL, entries: readonly string[]): boolean {
  const host = bareHost(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return entries.some((entry) => matches(entry.trim().toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInRange(host, entry.replace(/[[\]]/g, ''));
  const { name, onPort } = splitPort(entry);
  if (onPort !== undefined && onPort !== port) return false;
  if (isIP(name) !== 0) return isInRange(host, `${name}/${isIP(name) === 4 ? 32 : 128}`);
  const domain = domainToASCII(name.replace(/^\*?\.+/, '').replace(/\.$/, ''));
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function splitPort(entry: string): { readonly name: string; readonly onPort: string | undefined } {
  const [, bracketed, plain, onPort] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain ?? entry, onPort };
}
