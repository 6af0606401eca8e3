import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { bareHost, isLoopback } from '../../api/loopback.ts';
import { hasTag } from '../../util/hasTag.ts';

export type LocalUrlFault =
  | 'empty'
  | 'tooLong'
  | 'notUrl'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'notLoopback'
  /** A name such as localhost that this computer resolves to another one or not at all. */
  | 'resolvesElsewhere'
  | 'notResolved';

export type LocalUrlReason =
  | LocalUrlFault
  /** Another window listens at this URL. */
  | 'inUse'
  /** No URL was given, and none is known for this folder. */
  | 'noUrl'
  /** The service didn't record what it sent, so it can't be replayed. */
  | 'noRequest';

/** Its message is for logs and has no URL. */
export class LocalUrlError extends Error {
  readonly tag = 'LocalUrlError';
  readonly reason: LocalUrlReason;

  constructor(reason: LocalUrlReason) {
    super(`Not sent to this computer: ${reason}`);
    this.name = 'LocalUrlError';
    this.reason = reason;
  }
}

export function isLocalUrlError(error: unknown): error is LocalUrlError {
  return hasTag<LocalUrlError>(error, 'LocalUrlError');
}

export interface LocalAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a host name to all of its addresses. Rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export type ResolvedLocal = { readonly addresses: readonly LocalAddress[] } | { readonly fault: LocalUrlFault };

const LONGEST = 2000;
const LOOPBACK: readonly LocalAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Accepts what people type: "3000", ":3000/api/webhook", "localhost:3000", and whole URLs. */
export function checkLocalUrl(text: string): { readonly url: string } | { readonly fault: LocalUrlFault } {
  const typed = text.trim();
  if (typed === '') return { fault: 'empty' };
  if (typed.length > LONGEST) return { fault: 'tooLong' };
  // The URL parser silently drops tabs and line breaks.
  if (/[\s\p{Cc}\\]/u.test(typed)) return { fault: 'notUrl' };
  const whole = withScheme(typed);
  if (!/^https?:\/\//i.test(whole)) return { fault: 'scheme' };
  if (hasBadPort(whole)) return { fault: 'port' };
  if (!URL.canParse(whole)) return { fault: 'notUrl' };
  const url = new URL(whole);
  if (url.username !== '' || url.password !== '') return { fault: 'credentials' };
  if (!isLoopback(url.hostname)) return { fault: 'notLoopback' };
  url.hash = '';
  return { url: url.href };
}

/**
 * Returns the addresses to connect to, all of them loopback. A name must be resolved before each request, because it
 * may point to another computer by then.
 */
export async function resolveLocal(url: string, resolve: Lookup = lookupAll): Promise<ResolvedLocal> {
  const host = bareHost(new URL(url).hostname);
  const family = isIP(host);
  if (family !== 0) return { addresses: [{ address: host, family: family === 4 ? 4 : 6 }] };
  const found = await lookupName(host, resolve);
  if (found === undefined) return { fault: 'notResolved' };
  if (!found.every(({ address }) => isIP(address) !== 0 && isLoopback(address))) return { fault: 'resolvesElsewhere' };
  return { addresses: found };
}

/** Identifies the handler. All loopback names count as one, and so do HTTP and HTTPS at the same port. */
export function handlerOf(url: string): string {
  const { hostname, port, protocol, pathname, search } = new URL(url);
  const host = bareHost(hostname);
  const isUsual = host === 'localhost' || host === '127.0.0.1' || host === '::1';
  return `${isUsual ? 'localhost' : host}:${port || (protocol === 'https:' ? '443' : '80')}${pathname}${search}`;
}

async function lookupName(host: string, resolve: Lookup): Promise<readonly LocalAddress[] | undefined> {
  try {
    const found = await resolve(host);
    return found.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
  } catch {
    // RFC 6761: names under localhost are loopback, whether or not the resolver knows them.
    return host.endsWith('.localhost') ? LOOPBACK : undefined;
  }
}

const lookupAll: Lookup = (hostname) => lookup(hostname, { all: true });

function withScheme(typed: string): string {
  const afterPort = /^:?(\d+)(?=$|[/?])(.*)$/s.exec(typed);
  if (afterPort !== null) return `http://localhost:${afterPort[1]}${afterPort[2]}`;
  return hasScheme(typed) ? typed : `http://${typed}`;
}

/** Whether a typed URL has a scheme. The part before a port is a host. */
export function hasScheme(typed: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?!\d+(?:$|[/?#]))/i.test(typed);
}

// For such a port, the URL parser reports only that the URL is invalid.
function hasBadPort(whole: string): boolean {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(whole)?.[1] ?? '';
  const port = /:(\d+)$/.exec(authority)?.[1];
  return port !== undefined && (Number(port) > 65_535 || Number(port) === 0);
}
