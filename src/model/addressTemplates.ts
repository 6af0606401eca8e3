import { t } from '@vscode/l10n';
import { STREAM_KEY_SHAPE } from '../api/ids.ts';
import { bareHost, isLoopback } from '../api/loopback.ts';
import { STUDIO_BASE_URL } from './addresses.ts';
import { sentenceOfCredentials, sentenceOfInvalidUrl, sentenceOfUnencrypted } from './connection/baseUrl.ts';

export type StreamingPurpose = 'rtmp' | 'hls';

export type ParsedTemplate =
  | { readonly ok: true; readonly template: string }
  | { readonly ok: false; readonly sentence: string };

export interface TemplateContext {
  readonly baseUrl: string;
  readonly others: readonly string[];
  /** The service's streams. A URL for one of them becomes a template. */
  readonly streams: readonly { readonly streamKey?: string | undefined; readonly playbackId?: string | undefined }[];
}

const PLACEHOLDERS: Readonly<Record<StreamingPurpose, '{streamKey}' | '{playbackId}'>> = {
  rtmp: '{streamKey}',
  hls: '{playbackId}',
};
const EXAMPLES: Readonly<Record<StreamingPurpose, string>> = {
  rtmp: 'rtmp://example.com/live/{streamKey}',
  hls: 'https://example.com/hls/{playbackId}/index.m3u8',
};
const MAX_LENGTH = 2000;
// Shorter ones could be part of another word in a URL.
const LEAST_VALUE_LENGTH = 6;
// A stream key at the end of an RTMP URL, even of a stream that isn't loaded. It must not get into the settings.
const KEY_AT_END = new RegExp(`/${STREAM_KEY_SHAPE}/?$`, 'i');
const STUDIO_HOSTS = ['livepeer.studio', 'livepeer.com', 'livepeercdn.studio', 'livepeercdn.com', 'lvpr.tv'];

export function exampleTemplate(purpose: StreamingPurpose): string {
  return EXAMPLES[purpose];
}

/** Returns a likely template for a service. Streaming servers usually have these paths. */
export function guessTemplate(purpose: StreamingPurpose, baseUrl: string): string {
  const { protocol, hostname, host } = new URL(baseUrl);
  const withoutApi = (text: string) => text.replace(/^api\./, '');
  return purpose === 'rtmp'
    ? `rtmp://${withoutApi(hostname)}/live/{streamKey}`
    : `${protocol}//${withoutApi(host)}/hls/{playbackId}/index.m3u8`;
}

/**
 * Parses a template as the user typed it; an empty one stays empty. Replaces the key or playback ID of a known stream
 * with the placeholder and appends the stream key to an RTMP server, where it always goes. The sentence repeats only
 * the host of the text.
 */
export function parseTemplate(purpose: StreamingPurpose, text: string, context: TemplateContext): ParsedTemplate {
  const typed = text.trim();
  if (typed === '') return { ok: true, template: '' };
  const problem = problemOfUrl(purpose, typed, context);
  return problem === undefined ? withPlaceholder(purpose, typed, context) : { ok: false, sentence: problem };
}

/**
 * Whether a URL is on the service's host. Another host in the same domain doesn't count, because anyone can register a
 * name under many domains, such as co.uk.
 */
export function isOfService(template: string, baseUrl: string): boolean {
  return isHostOfService(hostnameOf(template), baseUrl);
}

/** @param host with or without the brackets of an IPv6 address */
export function isHostOfService(host: string, baseUrl: string): boolean {
  const own = hostnameOf(baseUrl);
  return bareHost(own) === bareHost(host) || (isLoopback(own) && isLoopback(host));
}

function problemOfUrl(purpose: StreamingPurpose, typed: string, context: TemplateContext): string | undefined {
  if (typed.length > MAX_LENGTH) return t('The URL is too long.');
  if (/[\s\p{Cc}]/u.test(typed)) return t("The URL can't contain spaces.");
  if (purpose === 'rtmp' && !/^rtmps?:\/\//i.test(typed)) return t('Enter a URL that starts with rtmp:// or rtmps://.');
  if (purpose === 'hls' && !/^https?:\/\//i.test(typed)) return t('Enter a URL that starts with https://.');
  const url = URL.parse(typed);
  if (url === null || url.hostname === '' || /[{}]|%7b/i.test(url.host)) {
    return sentenceOfInvalidUrl(EXAMPLES[purpose]);
  }
  if (url.username !== '' || url.password !== '') return sentenceOfCredentials();
  return problemOfPlaceholders(purpose, typed) ?? problemOfHost(url, context);
}

function problemOfPlaceholders(purpose: StreamingPurpose, typed: string): string | undefined {
  const other = typed.match(/\{\w*\}/g)?.some((each) => each !== PLACEHOLDERS[purpose]) ?? false;
  return other ? t('The only placeholder this URL can contain is {0}.', PLACEHOLDERS[purpose]) : undefined;
}

function problemOfHost(url: URL, { baseUrl, others }: TemplateContext): string | undefined {
  const isOfOther = others.some((other) => isOfService(url.href, other)) || isOfStudio(url.hostname);
  if (isOfOther && !isOfService(url.href, baseUrl)) {
    return t('{0} belongs to another service. Enter a URL for {1}.', url.host, new URL(baseUrl).host);
  }
  if (url.protocol !== 'http:' || isLoopback(url.hostname)) return undefined;
  // The user has agreed to plain HTTP for the service's own host when connecting.
  const isAccepted = /^http:/i.test(baseUrl) && url.hostname === hostnameOf(baseUrl);
  return isAccepted ? undefined : sentenceOfUnencrypted(url.host);
}

function withPlaceholder(purpose: StreamingPurpose, typed: string, { streams }: TemplateContext): ParsedTemplate {
  const placeholder = PLACEHOLDERS[purpose];
  const values = streams.map(({ streamKey, playbackId }) => (purpose === 'rtmp' ? streamKey : playbackId));
  const value = values.find((each) => each && each.length >= LEAST_VALUE_LENGTH && typed.includes(each));
  const known = value ? typed.replaceAll(value, placeholder) : typed;
  const template = purpose === 'rtmp' ? known.replace(KEY_AT_END, `/${placeholder}`) : known;
  if (template.includes(placeholder)) return { ok: true, template };
  if (purpose === 'rtmp' && !/[?#]/.test(template)) {
    return { ok: true, template: `${template.replace(/\/+$/, '')}/${placeholder}` };
  }
  const sentence =
    purpose === 'rtmp'
      ? t('Add {0} where the stream key goes, as in {1}.', placeholder, EXAMPLES.rtmp)
      : t('Add {0} where the playback ID goes, as in {1}.', placeholder, EXAMPLES.hls);
  return { ok: false, sentence };
}

function isOfStudio(hostname: string): boolean {
  return [hostnameOf(STUDIO_BASE_URL), ...STUDIO_HOSTS].some(
    (host) => hostname === host || hostname.endsWith(`.${host}`),
  );
}

function hostnameOf(url: string): string {
  return (URL.parse(url)?.hostname ?? '').toLowerCase();
}
