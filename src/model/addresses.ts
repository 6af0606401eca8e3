import { t } from '@vscode/l10n';
import { isLoopback, reachesThisMachine } from '../api/loopback.ts';
import type { Session } from '../api/types.ts';
import type { AddressTemplates } from '../services.ts';

/** The embedded service while it runs: its addresses are only known then. */
export interface RunningDemo {
  readonly baseUrl: string;
  readonly addresses: AddressTemplates;
}

/** What may stand in a template, in braces. */
export interface AddressValues {
  readonly streamKey?: string | undefined;
  readonly playbackId?: string | undefined;
  readonly id?: string | undefined;
  readonly projectId?: string | undefined;
  readonly recordingUrl?: string | undefined;
}

export type CheckedUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly sentence: string };

/** What to open in a browser for a recording. */
export type RecordingTarget =
  | { readonly kind: 'mp4' | 'playerPage' | 'playlist'; readonly url: string }
  /** There are addresses, but none that may be opened. */
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'none' };

export const STUDIO_BASE_URL = 'https://livepeer.studio/api';

/** Of the public service (src/api/README.md, Addresses). */
const STUDIO_ADDRESSES: AddressTemplates = {
  rtmp: 'rtmp://rtmp.livepeer.com/live/{streamKey}',
  whip: 'https://playback.livepeer.studio/webrtc/{streamKey}',
  hls: 'https://livepeercdn.studio/hls/{playbackId}/index.m3u8',
  player: 'https://lvpr.tv/?v={playbackId}',
  recordingPlayer: 'https://lvpr.tv/?url={recordingUrl}',
  dashboard: 'https://livepeer.studio/dashboard/projects/{projectId}/streams/{id}',
  keys: 'https://livepeer.studio/dashboard/developers/api-keys',
};
/** Where a row has no project, its dashboard page has no address of its own. */
const STUDIO_DASHBOARD_WITHOUT_PROJECT = 'https://livepeer.studio/dashboard/streams';

/**
 * The templates that hold for a connection: what the settings say for its origin over what is built in for it. A purpose
 * that neither names is missing: no other service's host stands in.
 */
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

/** A template with its placeholders filled, percent-encoded; undefined where a value is missing. */
export function fillTemplate(template: string, values: AddressValues): string | undefined {
  const known = new Map<string, unknown>(Object.entries(values));
  let isComplete = true;
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = known.get(name);
    // Half a character of the service's would make it throw.
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value.toWellFormed());
    isComplete = false;
    return '';
  });
  return isComplete ? filled : undefined;
}

/**
 * An address that is shown, copied, played or opened: never with the stream key, whatever its template asks for. Undefined
 * where a value is missing.
 */
export function publicAddress(template: string, { id, playbackId, projectId }: AddressValues): string | undefined {
  return fillTemplate(template, { id, playbackId, projectId });
}

/** The server that an encoder is given beside the key: the template up to its last part, where that is the key. */
export function ingestServer(rtmpTemplate: string): string | undefined {
  const server = rtmpTemplate.replace(/\/\{streamKey\}$/, '');
  return server.includes('{') ? undefined : server;
}

/** The page of a stream in the service's dashboard; undefined where it is not known. */
export function dashboardAddress(template: string, values: AddressValues): string | undefined {
  const isStudio = template === STUDIO_ADDRESSES.dashboard;
  return fillTemplate(template, values) ?? (isStudio ? STUDIO_DASHBOARD_WITHOUT_PROJECT : undefined);
}

/**
 * The page of the dashboard that needs no stream: a template's address up to the part that names one. Undefined where
 * nothing of an address is left.
 */
export function dashboardHome(template: string): string | undefined {
  if (template === STUDIO_ADDRESSES.dashboard) return STUDIO_DASHBOARD_WITHOUT_PROJECT;
  const [fixed = ''] = template.split('{');
  if (fixed === template) return template;
  const hasQuery = /[?#]/.test(fixed);
  const home = fixed.replace(hasQuery ? /[?#].*$/s : /\/[^/]*$/, '');
  return /^https?:\/\/[^/]/i.test(home) ? home : undefined;
}

/**
 * May this address, which the service sent, be asked for or opened? Only https, or http where the connection itself is http;
 * on this machine only for a service on this machine. The sentence says why not and repeats nothing but the scheme.
 */
export function checkMediaUrl(url: string | undefined, connection: { readonly baseUrl: string }): CheckedUrl {
  if (!isForeignToThisMachine(url?.trim() ?? '', connection)) return checkOwnAddress(url, connection);
  return refuse(t('The service gave an address of this computer, so it was not opened.'));
}

/** A service elsewhere is not to have this machine asked; one on this machine, and each at its own origin, may. */
function isForeignToThisMachine(url: string, { baseUrl }: { readonly baseUrl: string }): boolean {
  const [asked, base] = [URL.parse(url), URL.parse(baseUrl)];
  if (asked === null || !reachesThisMachine(asked.hostname)) return false;
  return base === null || (!isLoopback(base.hostname) && asked.origin !== base.origin);
}

/**
 * The same for an address that the person's own settings made: this machine too. Only https; http on this machine or where
 * the connection itself is http.
 */
export function checkOwnAddress(url: string | undefined, connection: { readonly baseUrl: string }): CheckedUrl {
  const text = url?.trim() ?? '';
  if (text === '') return refuse(t('The service gave no address.'));
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return refuse(t('The service gave an address that is not complete, so it was not opened.'));
  if (scheme !== 'https' && scheme !== 'http') {
    return refuse(t('The service gave an address that begins with "{0}:". Such addresses are not opened.', scheme));
  }
  const parsed = URL.parse(text);
  if (parsed === null || /[\s\p{Cc}]/u.test(text) || !/^https?:\/\//i.test(text)) {
    return refuse(t('The service gave an address that cannot be read, so it was not opened.'));
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return refuse(t('The service gave an address with a user name or a password, so it was not opened.'));
  }
  const isSafe = scheme === 'https' || isLoopback(parsed.hostname) || /^http:/i.test(connection.baseUrl);
  return isSafe
    ? { ok: true, url: text }
    : refuse(t('The service gave an address without encryption (http), so it was not opened.'));
}

/**
 * What a browser can show of a recording: its MP4, else the player page with the playlist's address, else the playlist
 * itself, which many browsers only download.
 */
export function openTargetOfRecording(
  session: Pick<Session, 'recordingUrl' | 'mp4Url'>,
  connection: { readonly baseUrl: string },
  templates: AddressTemplates,
): RecordingTarget {
  const mp4 = checkMediaUrl(session.mp4Url, connection);
  if (mp4.ok) return { kind: 'mp4', url: mp4.url };
  if (session.recordingUrl === undefined) {
    return session.mp4Url === undefined ? { kind: 'none' } : { kind: 'refused', sentence: mp4.sentence };
  }
  const playlist = checkMediaUrl(session.recordingUrl, connection);
  if (!playlist.ok) return { kind: 'refused', sentence: playlist.sentence };
  const page = fillTemplate(templates.recordingPlayer ?? '', { recordingUrl: playlist.url });
  const checked = checkOwnAddress(page, connection);
  return checked.ok ? { kind: 'playerPage', url: checked.url } : { kind: 'playlist', url: playlist.url };
}

function builtIn(origin: string, demo: RunningDemo | undefined): AddressTemplates {
  if (demo !== undefined && originOf(demo.baseUrl) === origin) return demo.addresses;
  return origin === originOf(STUDIO_BASE_URL) ? STUDIO_ADDRESSES : {};
}

/** Only the templates that say something: an empty one in the settings does not hide what is built in. */
function withTexts(templates: AddressTemplates): AddressTemplates {
  return Object.fromEntries(
    Object.entries(templates).filter(([, template]) => typeof template === 'string' && template.trim() !== ''),
  );
}

function originOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url === null || url.origin === 'null' ? undefined : url.origin;
}

function refuse(sentence: string): CheckedUrl {
  return { ok: false, sentence };
}
