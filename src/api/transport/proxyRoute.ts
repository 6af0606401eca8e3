import { isLoopback } from '../loopback.ts';
import type { NetworkSettings } from './networkSettings.ts';
import { isNoProxy, splitNoProxy } from './noProxy.ts';

/** How a request travels. */
export type Route =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'proxy';
      /** Scheme, host and port, without credentials. */
      readonly uri: string;
      /** For the Proxy-Authorization header. */
      readonly token: string | undefined;
    }
  /** Through a proxy that this transport cannot use: socks, PAC, or an address that is none. */
  | { readonly kind: 'unsupported' };

const DIRECT: Route = { kind: 'direct' };

/** Loopback never goes through a proxy, nor does what noProxy names. http.proxy goes before the environment. */
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
  return `Basic ${Buffer.from(`${unescapePart(username)}:${unescapePart(password)}`).toString('base64')}`;
}

/** A password with a bare % in it is meant as it stands. */
function unescapePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
