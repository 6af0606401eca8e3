import { t } from '@vscode/l10n';

const BETWEEN = ' · ';

export function detailsTab(title: string): string {
  return t('{0} (Details)', title);
}

/** Returns a session's title from its stream's name and its start: "Keynote · Yesterday 18:00". */
export function sessionTitle(name: string | undefined, start: string): string {
  return name === undefined || name === '' ? start : `${name}${BETWEEN}${start}`;
}

/**
 * Returns the name in a tab's title, which may be all that is known of the subject when the tab is restored. A
 * session's name comes without its start, which is outdated on another day. '' if there is no name.
 */
export function nameInTab(tab: string, kind: 'stream' | 'session'): string {
  const [before = '', after = ''] = detailsTab('\0').split('\0');
  const isDetails = tab.startsWith(before) && tab.endsWith(after) && tab.length > before.length + after.length;
  const title = isDetails ? tab.slice(before.length, tab.length - after.length) : tab;
  if (kind === 'stream') return title;
  return title.includes(BETWEEN) ? title.slice(0, title.lastIndexOf(BETWEEN)) : '';
}
