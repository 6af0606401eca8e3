import type { Session } from '../api/types.ts';
import type { AddressTemplates } from '../services.ts';
import { type AddressFault, checkMediaUrl, checkOwnAddress, STUDIO_ADDRESSES } from './addresses.ts';
import { type AddressValues, fillTemplate } from './filledAddresses.ts';

const STUDIO_DASHBOARD_WITHOUT_PROJECT = 'https://livepeer.studio/dashboard/streams';

type RecordingTarget =
  | { readonly kind: 'mp4' | 'playerPage' | 'playlist'; readonly url: string }
  | { readonly kind: 'refused'; readonly fault: AddressFault }
  | { readonly kind: 'none' };

/** Returns the first that there is: the MP4, the player page, or the playlist, which many browsers only download. */
export function openTargetOfRecording(
  session: Pick<Session, 'recordingUrl' | 'mp4Url'>,
  connection: { readonly baseUrl: string },
  templates: AddressTemplates,
): RecordingTarget {
  const mp4 = checkMediaUrl(session.mp4Url, connection);
  if (mp4.ok) return { kind: 'mp4', url: mp4.url };
  if (session.recordingUrl === undefined) {
    return session.mp4Url === undefined ? { kind: 'none' } : { kind: 'refused', fault: mp4.fault };
  }
  const playlist = checkMediaUrl(session.recordingUrl, connection);
  if (!playlist.ok) return { kind: 'refused', fault: playlist.fault };
  const page = fillTemplate(templates.recordingPlayer ?? '', { recordingUrl: playlist.url });
  const checked = checkOwnAddress(page, connection);
  return checked.ok ? { kind: 'playerPage', url: checked.url } : { kind: 'playlist', url: playlist.url };
}

export function dashboardAddress(template: string, values: AddressValues): string | undefined {
  const isStudio = template === STUDIO_ADDRESSES.dashboard;
  return fillTemplate(template, values) ?? (isStudio ? STUDIO_DASHBOARD_WITHOUT_PROJECT : undefined);
}

/** Returns the template up to the part with the first placeholder; undefined if that leaves no URL. */
export function dashboardHome(template: string): string | undefined {
  if (template === STUDIO_ADDRESSES.dashboard) return STUDIO_DASHBOARD_WITHOUT_PROJECT;
  const [fixed = ''] = template.split('{');
  if (fixed === template) return template;
  const hasQuery = /[?#]/.test(fixed);
  const home = fixed.replace(hasQuery ? /[?#].*$/s : /\/[^/]*$/, '');
  return /^https?:\/\/[^/]/i.test(home) ? home : undefined;
}
