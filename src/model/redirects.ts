import { lookup as lookUpName } from 'node:dns/promises';
import { isIP } from 'node:net';
import { bareHost } from '../api/loopback.ts';
import type { ResponseHead } from '../services.ts';
import { type AddressFault, type CheckedUrl, isNear } from './addresses.ts';

const MOST_REDIRECTS = 5;

export type Followed<R> =
  | { readonly kind: 'response'; readonly response: R; readonly url: string }
  | { readonly kind: 'refused'; readonly fault: AddressFault; readonly from: string }
  | { readonly kind: 'tooMany' };

/**
 * Requests a checked media URL and follows up to 5 redirects that `check` allows. Rethrows errors of `open`.
 * @param open Sends a request without any key and doesn't follow redirects.
 * @param discard Called with each redirect's response.
 * @param connection Its service must not make this machine send requests to itself, not even through a host name.
 */
export async function followRedirects<R extends ResponseHead>(
  first: string,
  {
    open,
    check,
    discard,
    connection,
    lookup = async (hostname: string) => (await lookUpName(hostname, { all: true })).map(({ address }) => address),
  }: {
    readonly open: (url: string) => Promise<R>;
    readonly check: (url: string) => CheckedUrl;
    readonly discard?: ((response: R) => void) | undefined;
    readonly connection?: { readonly baseUrl: string } | undefined;
    readonly lookup?: LookUpAddresses;
  },
): Promise<Followed<R>> {
  let url = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    if (connection !== undefined && (await leadsHere(url, connection, lookup))) {
      return { kind: 'refused', fault: { kind: 'ofThisMachine' }, from: first };
    }
    const response = await open(url);
    const { location = '' } = response.headers;
    if (response.status < 300 || response.status >= 400 || location === '') {
      return { kind: 'response', response, url };
    }
    discard?.(response);
    const next = check(URL.parse(location, url)?.href ?? '');
    if (!next.ok) return { kind: 'refused', fault: next.fault, from: url };
    url = next.url;
  }
  return { kind: 'tooMany' };
}

export type LookUpAddresses = (hostname: string) => Promise<readonly string[]>;

/**
 * Whether a name resolves to this machine although the service is elsewhere. Not checked for HTTPS, because no server
 * here would have the certificate. A name that can't be looked up is allowed, because a proxy may know it.
 */
async function leadsHere(
  url: string,
  { baseUrl }: { readonly baseUrl: string },
  lookup: LookUpAddresses,
): Promise<boolean> {
  const [target, base] = [URL.parse(url), URL.parse(baseUrl)];
  if (target?.protocol !== 'http:' || isIP(bareHost(target.hostname)) !== 0) return false;
  if (base === null || target.hostname === base.hostname || isNear(base.hostname)) return false;
  const addresses = await lookup(target.hostname).catch(() => []);
  return addresses.some(isNear);
}
