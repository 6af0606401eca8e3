export type TargetUrlFault = 'empty' | 'notUrl' | 'scheme' | 'credentials' | 'noPath' | 'noKey';

export type CheckedTargetUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly fault: TargetUrlFault };

/** A service that accepts broadcasts. Its URL needs a stream key at the end. */
export type TargetService = 'youtube' | 'twitch' | 'facebook';

const SERVERS: Readonly<Record<TargetService, string>> = {
  youtube: 'rtmps://a.rtmps.youtube.com:443/live2/',
  twitch: 'rtmp://live.twitch.tv/app/',
  facebook: 'rtmps://live-api-s.facebook.com:443/rtmp/',
};

/** The rendition that every stream has: the video that the encoder sends. */
export const SOURCE_PROFILE = 'source';

/** Facebook's keys have parameters. */
const ALLOWED_IN_KEYS = /^[\w.~!$&'()*+,;=:@%/?-]+$/;

export type KeyFault = 'empty' | 'url' | 'characters';

/** Returns why a string can't be the stream key of a target, or undefined if it can. */
export function faultOfTargetKey(text: string): KeyFault | undefined {
  const key = text.trim();
  if (key === '') return 'empty';
  if (key.includes('/')) return 'url';
  return ALLOWED_IN_KEYS.test(key) ? undefined : 'characters';
}

export function targetUrlOf(service: TargetService, key: string): string {
  return SERVERS[service] + key.trim();
}

/** Like `faultOfTargetKey`, for any server. The key may be a path or, for SRT, a stream ID with any characters. */
export function faultOfServerKey(server: string, text: string): KeyFault | undefined {
  const key = text.trim();
  if (key === '') return 'empty';
  if (/^\w+:\/\//.test(key)) return 'url';
  return isSrt(server) || ALLOWED_IN_KEYS.test(key) ? undefined : 'characters';
}

export function checkTargetUrl(text: string): CheckedTargetUrl {
  return checkUrl(text, (url) => (hasKey(url) ? undefined : 'noKey'));
}

/** Also accepts a URL that ends with the stream key. */
export function checkTargetServer(text: string): CheckedTargetUrl {
  return checkUrl(text, ({ protocol, pathname }) =>
    protocol === 'srt:' || /^\/[^/]/.test(pathname) ? undefined : 'noPath',
  );
}

/** The service takes rtmp, rtmps, and srt (src/api/README.md, Multistream) and would store credentials as they are. */
function checkUrl(text: string, faultOf: (url: URL) => TargetUrlFault | undefined): CheckedTargetUrl {
  const url = text.trim();
  if (url === '') return { ok: false, fault: 'empty' };
  const parsed = /\s/.test(url) ? null : URL.parse(url);
  if (parsed === null || parsed.hostname === '') return { ok: false, fault: 'notUrl' };
  if (!/^(rtmps?|srt):$/.test(parsed.protocol)) return { ok: false, fault: 'scheme' };
  if (parsed.username !== '' || parsed.password !== '') return { ok: false, fault: 'credentials' };
  const fault = faultOf(parsed);
  if (fault !== undefined) return { ok: false, fault };
  // The service's pattern requires a lowercase scheme.
  return { ok: true, url: parsed.protocol + url.slice(parsed.protocol.length) };
}

/** RTMP has the application before the key; SRT has the key in its stream ID. */
function hasKey({ protocol, pathname, searchParams }: URL): boolean {
  if (protocol === 'srt:') return Boolean(searchParams.get('streamid'));
  const [application = '', ...rest] = pathname.split('/').slice(1);
  return application !== '' && rest.length > 0 && rest.at(-1) !== '';
}

export function isSrt(url: string): boolean {
  return /^srt:/i.test(url.trim());
}

/** Joins the URL of a server and its stream key. An empty key adds nothing. */
export function joinTargetUrl(server: string, key: string): string {
  const [base, added] = [server.trim(), key.trim()];
  if (added === '') return base;
  if (isSrt(base)) return `${base}${base.includes('?') ? '&' : '?'}streamid=${encodeStreamId(added)}`;
  const [path = '', ...query] = base.split(/(?=\?)/);
  return `${path.replace(/\/+$/, '')}/${added.replace(/^\/+/, '')}${query.join('')}`;
}

/** Leaves encoded parts as they are, as in a stream ID that was copied from a URL. */
function encodeStreamId(id: string): string {
  return id.replace(/[\s&#+"<>]|%(?![\da-f]{2})/gi, encodeURIComponent);
}

/**
 * Returns the server of a URL and the stream key that the URL may end with; '' if it has none. In an RTMP URL, the part
 * after the application may also belong to the server.
 */
export function splitTargetUrl(text: string): { readonly server: string; readonly key: string } {
  const url = text.trim();
  if (!isSrt(url)) {
    const [, server = url, key = ''] = /^(\w+:\/\/[^/]+\/[^?#]*[^/?#])\/+([^/?#]+(?:[?#].*)?)$/.exec(url) ?? [];
    return { server, key };
  }
  const [, key = ''] = /[?&]streamid=([^&#]*)/.exec(url) ?? [];
  const server = url.replace(/([?&])streamid=[^&#]*(&|$)/, '$1').replace(/[?&]$/, '');
  return { server, key };
}

/** Returns the names of the renditions that a target can get: the source and the stream's renditions. */
export function targetProfiles(profiles: readonly unknown[] | undefined): readonly string[] {
  const names = (profiles ?? []).flatMap((profile) => {
    const name: unknown = typeof profile === 'object' && profile !== null ? Reflect.get(profile, 'name') : undefined;
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  return [...new Set([SOURCE_PROFILE, ...names])];
}
