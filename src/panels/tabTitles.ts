import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import type { Delivery } from '../api/webhooks.ts';
import { sessionParent } from '../model/store/recordings.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { nameOf } from '../texts/names.ts';
import { deliveredStream } from '../texts/webhooks.ts';
import { joinParts, oneLine } from '../util/text.ts';

const BETWEEN = ' · ';
const LONGEST_START = 24;
/**
 * The length that a narrow editor has room for, beside the rest of the title and the close button. The page has the
 * whole name.
 */
const LONGEST_NAME = 40;

/** Cuts the name, but not the start of a session that follows it. */
export function playerTab(title: string): string {
  const at = title.lastIndexOf(BETWEEN);
  const end = at === -1 || title.length - at > LONGEST_START ? title.length : at;
  return `${oneLine(title.slice(0, end), LONGEST_NAME)}${title.slice(end)}`;
}

export function detailsTab(title: string): string {
  return t('{0} (Details)', playerTab(title));
}

export function checkTab(name: string): string {
  return t('{0} (Check)', playerTab(name));
}

/** Returns the name in the title of a check's tab; '' if there is none. */
export function nameInCheckTab(tab: string): string {
  return partBetween(tab, checkTab('|').split('|')) ?? '';
}

/** Returns what the title of a delivery's tab says besides the time: "stream.started · Keynote". */
export function deliverySubject(snapshot: Snapshot, delivery: Delivery): string {
  return joinParts(oneLine(delivery.event), deliveredStream(snapshot, delivery)) ?? '';
}

/** @param label as `deliverySubject` returns it */
export function deliveryTab(label: string, time = ''): string {
  return t('{0} (Delivery)', time === '' ? label : playerTab(`${label}${BETWEEN}${time}`));
}

/** Returns what the title of a delivery's tab says besides the time; '' if there is nothing. */
export function nameInDeliveryTab(tab: string): string {
  const title = partBetween(tab, deliveryTab('\0').split('\0')) ?? '';
  const at = title.lastIndexOf(BETWEEN);
  return at === -1 ? title : title.slice(0, at);
}

/** Returns a session's title from its stream's name and its start: "Keynote · Yesterday 18:00". */
export function sessionTitle(name: string | undefined, start: string): string {
  return name === undefined || name === '' ? start : `${name}${BETWEEN}${start}`;
}

/**
 * Returns the name in a tab's title, which may be all that is known of the subject when the tab is restored. A
 * session's name comes without its start, which is outdated on another day. '' if there is no name.
 */
export function nameInTab(tab: string, kind: 'stream' | 'session' | 'clip'): string {
  const title = partBetween(tab, detailsTab('|').split('|')) ?? tab;
  if (kind !== 'session') return title;
  return title.includes(BETWEEN) ? title.slice(0, title.lastIndexOf(BETWEEN)) : '';
}

function partBetween(text: string, [before = '', after = '']: readonly string[]): string | undefined {
  const isBetween = text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length;
  return isBetween ? text.slice(before.length, text.length - after.length) : undefined;
}

/** Returns the name of a session's stream, even a deleted one; undefined if unknown. */
export function nameOfParent(
  session: Pick<Session, 'parentId' | 'parentName'>,
  snapshot: Snapshot,
): string | undefined {
  const parent = sessionParent(snapshot, session);
  if (parent.kind === 'unknown' || parent.name === undefined) return undefined;
  return nameOf({ id: parent.id, name: parent.name }) || undefined;
}
