import { t } from '@vscode/l10n';
import { isLoopback } from '../../api/loopback.ts';

export type ParsedBaseUrl =
  | {
      readonly ok: true;
      /** Scheme, host, port, and path, without a trailing slash. */
      readonly url: string;
      /** Plain http to another machine would send the key unencrypted, so the user must confirm it. */
      readonly needsWarning: boolean;
      readonly host: string;
    }
  | { readonly ok: false; readonly sentence: string };

export type ParsedApiKey =
  | { readonly ok: true; readonly apiKey: string }
  | { readonly ok: false; readonly sentence: string };

const MAX_ADDRESS_LENGTH = 2000;
const MAX_KEY_LENGTH = 4096;
// Never mistaken for a host with a port ("file:80").
const FOREIGN_SCHEMES: ReadonlySet<string> = new Set(['javascript', 'file', 'data', 'blob', 'command', 'vscode']);

/** Corrects whitespace, quotation marks, trailing slashes, and a missing scheme (https; http for loopback). */
export function parseBaseUrl(text: string): ParsedBaseUrl {
  const typed = withoutPageState(withoutQuotes(text.trim()));
  const problem = problemOfText(typed);
  if (problem !== undefined) return refuse(problem);
  const url = parseWithScheme(typed);
  if (url === undefined) return refuse(sentenceOfInvalidUrl('https://example.com/api'));
  if (isBareWord(typed, url)) return refuse(t("This isn't a complete URL. Enter one like https://example.com/api."));
  if (url.username !== '' || url.password !== '') return refuse(sentenceOfCredentials());
  const needsWarning = url.protocol === 'http:' && !isLoopback(url.hostname);
  return { ok: true, url: url.origin + url.pathname.replace(/\/+$/, ''), needsWarning, host: url.host };
}

/** Parses an API key. The sentence never repeats the key. */
export function parseApiKey(text: string): ParsedApiKey {
  const apiKey = text.trim();
  if (apiKey === '') return refuse(t('Paste an API key.'));
  if (/[\r\n]/.test(apiKey)) return refuse(t("API keys can't contain line breaks. Paste only the key."));
  if (/\s/.test(apiKey)) return refuse(t("API keys can't contain spaces. Paste only the key."));
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return refuse(t('The key contains invalid characters. Copy it again.'));
  if (apiKey.length > MAX_KEY_LENGTH) return refuse(t('This is too long for an API key. Paste only the key.'));
  return { ok: true, apiKey };
}

export function withoutQuotes(text: string): string {
  return text.replace(/^["'`\u2018-\u201f]+|["'`\u2018-\u201f]+$/g, '');
}

// Strips the query of a dashboard URL copied from a browser, which is about the page, not the service.
function withoutPageState(typed: string): string {
  return /^[^?#]*\/dashboard(\/[^?#]*)?[?#]/.test(typed) ? typed.replace(/[?#].*$/s, '') : typed;
}

function problemOfText(typed: string): string | undefined {
  if (typed === '') return t("Enter the base URL of the service's API.");
  if (typed.length > MAX_ADDRESS_LENGTH) return t('The URL is too long.');
  const scheme = schemeOf(typed);
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return t('URLs that start with "{0}:" aren\'t supported. Enter a URL that starts with https://.', scheme);
  }
  if (/[?#]/.test(typed)) return t('Remove the query ("?") and fragment ("#") from the URL.');
  // The URL parser silently drops tabs and line breaks, which would change the URL.
  if (/[\s\p{Cc}]/u.test(typed)) return t("The URL can't contain spaces.");
  if (scheme === undefined && /^[^/\\]*@/.test(typed)) return sentenceOfCredentials();
  return undefined;
}

function schemeOf(typed: string): string | undefined {
  const match = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(typed);
  const scheme = match?.[1]?.toLowerCase();
  const rest = match?.[2];
  if (scheme === undefined || rest === undefined || FOREIGN_SCHEMES.has(scheme)) return scheme;
  if (rest.startsWith('//') || scheme === 'http' || scheme === 'https') return scheme;
  const isHostWithPort = /^\d{1,5}([/?#]|$)/.test(rest);
  const isCredentials = /^[^/?#]*@/.test(rest);
  return isHostWithPort || isCredentials ? undefined : scheme;
}

function parseWithScheme(typed: string): URL | undefined {
  if (schemeOf(typed) !== undefined) return parseUrl(typed);
  const plain = parseUrl(`http://${typed}`);
  if (plain !== undefined && isLoopback(plain.hostname)) return plain;
  return parseUrl(`https://${typed}`);
}

// Without a scheme, a word may be anything, such as an API key, which must not be sent to a name server.
function isBareWord(typed: string, { hostname }: URL): boolean {
  return !typed.includes(':') && !hostname.includes('.') && !isLoopback(hostname);
}

function parseUrl(text: string): URL | undefined {
  return URL.parse(text) ?? undefined;
}

/** Says that what the user entered isn't a URL, and shows what one looks like. */
export function sentenceOfInvalidUrl(example: string): string {
  return t("This isn't a valid URL. Enter one like {0}.", example);
}

/** Applies to any URL that the user enters. */
export function sentenceOfCredentials(): string {
  return t("The URL can't contain a user name or password.");
}

/** Says that a URL on another computer must be encrypted. */
export function sentenceOfUnencrypted(host: string): string {
  return t("{0} isn't on this computer, so its URL must start with https://.", host);
}

export function refuse(sentence: string): { readonly ok: false; readonly sentence: string } {
  return { ok: false, sentence };
}
