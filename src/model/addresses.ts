import { isLinkLocal, isLoopback, reachesThisMachine } from '../api/loopback.ts';
import type { AddressTemplates } from '../services.ts';
import type { Event } from '../util/events.ts';

/** The embedded service while it runs. Its URLs aren't known before. */
export interface RunningDemo {
  readonly baseUrl: string;
  readonly addresses: AddressTemplates;
  readonly onDidStop: Event<void>;
}

export type AddressFault =
  | { readonly kind: 'scheme'; readonly scheme: string }
  | { readonly kind: 'none' | 'incomplete' | 'unreadable' | 'credentials' | 'unencrypted' | 'ofThisMachine' };

export type CheckedUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly fault: AddressFault };

export const STUDIO_BASE_URL = 'https://livepeer.studio/api';

export const STUDIO_ADDRESSES: AddressTemplates = {
  rtmp: 'rtmp://rtmp.livepeer.com/live/{streamKey}',
  whip: 'https://playback.livepeer.studio/webrtc/{streamKey}',
  hls: 'https://livepeercdn.studio/hls/{playbackId}/index.m3u8',
  player: 'https://lvpr.tv/?v={playbackId}',
  recordingPlayer: 'https://lvpr.tv/?url={recordingUrl}',
  dashboard: 'https://livepeer.studio/dashboard/projects/{projectId}/streams/{id}',
  keys: 'https://livepeer.studio/dashboard/developers/api-keys',
};

/** Returns the built-in templates for the origin, overridden by the settings. Never uses another service's host. */
export function addressesFor(
  baseUrl: string,
  settings: Readonly<Record<string, AddressTemplates>>,
  demo?: RunningDemo,
): AddressTemplates {
  const origin = originOf(baseUrl);
  if (origin === undefined) return {};
  const overrides = Object.entries(settings).filter(([key]) => originOf(key.trim()) === origin);
  return Object.assign({}, builtIn(origin, demo), ...overrides.map(([, templates]) => withTexts(templates)));
}

/**
 * Checks whether a URL from the service may be requested or opened. Allows https, and http on this machine or if the
 * connection uses http. Allows this machine only if the service runs on it or has the same origin.
 */
export function checkMediaUrl(url: string | undefined, connection: { readonly baseUrl: string }): CheckedUrl {
  const isForeign = isForeignToThisMachine(url?.trim() ?? '', connection);
  return isForeign ? { ok: false, fault: { kind: 'ofThisMachine' } } : checkOwnAddress(url, connection);
}

// Only a local service may make this machine send requests to itself, and any service for its own origin.
function isForeignToThisMachine(url: string, { baseUrl }: { readonly baseUrl: string }): boolean {
  const [target, base] = [URL.parse(url), URL.parse(baseUrl)];
  if (target === null || !isNear(target.hostname)) return false;
  return base === null || (!isLoopback(base.hostname) && target.origin !== base.origin);
}

/** Whether only this machine, or machines on the same link (as in a cloud), can reach a host. */
export function isNear(hostname: string): boolean {
  return reachesThisMachine(hostname) || isLinkLocal(hostname);
}

/**
 * Like `checkMediaUrl`, for a URL from the user's own settings, which may be on this machine. Returns the URL as
 * parsed, so that no other parser interprets it differently.
 */
export function checkOwnAddress(url: string | undefined, connection: { readonly baseUrl: string }): CheckedUrl {
  const text = url?.trim() ?? '';
  const parsed = URL.parse(text);
  const fault = faultOf(text, parsed, connection);
  if (fault !== undefined || parsed === null) return { ok: false, fault: fault ?? { kind: 'unreadable' } };
  return { ok: true, url: parsed.href };
}

function faultOf(
  text: string,
  parsed: URL | null,
  { baseUrl }: { readonly baseUrl: string },
): AddressFault | undefined {
  if (text === '') return { kind: 'none' };
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return { kind: 'incomplete' };
  if (scheme !== 'https' && scheme !== 'http') return { kind: 'scheme', scheme };
  if (parsed === null || /[\s\p{Cc}]/u.test(text) || !/^https?:\/\//i.test(text)) return { kind: 'unreadable' };
  if (parsed.username !== '' || parsed.password !== '') return { kind: 'credentials' };
  const isSafe = scheme === 'https' || isLoopback(parsed.hostname) || /^http:/i.test(baseUrl);
  return isSafe ? undefined : { kind: 'unencrypted' };
}

function builtIn(origin: string, demo: RunningDemo | undefined): AddressTemplates {
  if (demo !== undefined && originOf(demo.baseUrl) === origin) return demo.addresses;
  return origin === originOf(STUDIO_BASE_URL) ? STUDIO_ADDRESSES : {};
}

function withTexts(templates: AddressTemplates): AddressTemplates {
  return Object.fromEntries(
    Object.entries(templates).filter(([, template]) => typeof template === 'string' && template.trim() !== ''),
  );
}

function originOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url === null || url.origin === 'null' ? undefined : url.origin;
}

/** @param base an origin, which may have a path that leads to the machine: `https://host/proxy/8080/` */
export function replaceOrigin(url: string, base: string): string {
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\/?(.*)$/is.exec(url)?.[1] ?? '';
  return `${base.replace(/\/+$/, '')}/${rest}`;
}
