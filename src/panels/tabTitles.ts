import { t } from '@vscode/l10n';

const BETWEEN = ' · ';

export function detailsTab(title: string): string {
  return t('{0} (Details)', title);
}

export function checkTab(name: string): string {
  return t('{0} (Check)', name);
}

/** Returns the name in the title of a check's tab; '' if there is none. */
export function nameInCheckTab(tab: string): string {
  return partBetween(tab, checkTab('\0').split('\0')) ?? '';
}

export function deliveryTab(event: string): string {
  return t('{0} (Delivery)', event);
}

/** Returns the event in the title of a delivery's tab; '' if there is none. */
export function eventInTab(tab: string): string {
  return partBetween(tab, deliveryTab('\0').split('\0')) ?? '';
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
  const title = partBetween(tab, detailsTab('\0').split('\0')) ?? tab;
  if (kind !== 'session') return title;
  return title.includes(BETWEEN) ? title.slice(0, title.lastIndexOf(BETWEEN)) : '';
}

function partBetween(text: string, [before = '', after = '']: readonly string[]): string | undefined {
  const isBetween = text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length;
  return isBetween ? text.slice(before.length, text.length - after.length) : undefined;
}
