export type TargetUrlFault = 'empty' | 'notUrl' | 'scheme' | 'credentials' | 'noKey';

export type CheckedTargetUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly fault: TargetUrlFault };

/** A service that takes broadcasts. Its URL is where they go, and needs a stream key at its end. */
export type TargetService = 'youtube' | 'twitch' | 'facebook';

const SERVERS: Readonly<Record<TargetService, string>> = {
  youtube: 'rtmps://a.rtmps.youtube.com:443/live2/',
  twitch: 'rtmp://live.twitch.tv/app/',
  facebook: 'rtmps://live-api-s.facebook.com:443/rtmp/',
};

/** The rendition of every stream: what the encoder sends. */
export const SOURCE_PROFILE = 'source';

export type KeyFault = 'empty' | 'url' | 'characters';

/** Returns why a text can't be the stream key of a target, or undefined if it can. */
export function faultOfTargetKey(text: string): KeyFault | undefined {
  const key = text.trim();
  if (key === '') return 'empty';
  if (key.includes('/')) return 'url';
  // Keys of Facebook have parameters.
  return /^[\w.~!$&'()*+,;=:@%?-]+$/.test(key) ? undefined : 'characters';
}

export function targetUrlOf(service: TargetService, key: string): string {
  return SERVERS[service] + key.trim();
}

/** The service takes rtmp, rtmps, and srt (src/api/README.md, Multistream), and would store credentials as they are. */
export function checkTargetUrl(text: string): CheckedTargetUrl {
  const url = text.trim();
  if (url === '') return { ok: false, fault: 'empty' };
  const parsed = /\s/.test(url) ? null : URL.parse(url);
  if (parsed === null || parsed.hostname === '') return { ok: false, fault: 'notUrl' };
  if (!/^(rtmps?|srt):$/.test(parsed.protocol)) return { ok: false, fault: 'scheme' };
  if (parsed.username !== '' || parsed.password !== '') return { ok: false, fault: 'credentials' };
  if (!hasKey(parsed)) return { ok: false, fault: 'noKey' };
  // The service's pattern wants a lower-case scheme.
  return { ok: true, url: parsed.protocol + url.slice(parsed.protocol.length) };
}

/** RTMP has the application before the key; SRT has the key in its stream ID. */
function hasKey({ protocol, pathname, searchParams }: URL): boolean {
  if (protocol === 'srt:') return Boolean(searchParams.get('streamid'));
  const [application = '', ...rest] = pathname.split('/').slice(1);
  return application !== '' && rest.length > 0 && rest.at(-1) !== '';
}

/** Returns the names of the renditions that a target can get: the source, and those of the stream. */
export function targetProfiles(profiles: readonly unknown[] | undefined): readonly string[] {
  const names = (profiles ?? []).flatMap((profile) => {
    const name: unknown = typeof profile === 'object' && profile !== null ? Reflect.get(profile, 'name') : undefined;
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  return [...new Set([SOURCE_PROFILE, ...names])];
}
