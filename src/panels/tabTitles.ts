import { t } from '@vscode/l10n';

const BETWEEN = ' · ';

/** A details page's tab, told from the player's by a word. */
export function detailsTab(title: string): string {
  return t('{0} (Details)', title);
}

/** A session by its stream's name and its start: "Keynote · Yesterday 18:00". */
export function sessionTitle(name: string | undefined, start: string): string {
  return name === undefined || name === '' ? start : `${name}${BETWEEN}${start}`;
}

/**
 * The name in the title of a tab, which may be all that is known of what it was about when it comes back with its window.
 * A session's without its start, which was said as of another day; '' where it had no name.
 */
export function nameInTab(tab: string, kind: 'stream' | 'session'): string {
  const [before = '', after = ''] = detailsTab('\0').split('\0');
  const isDetails = tab.startsWith(before) && tab.endsWith(after) && tab.length > before.length + after.length;
  const title = isDetails ? tab.slice(before.length, tab.length - after.length) : tab;
  if (kind === 'stream') return title;
  return title.includes(BETWEEN) ? title.slice(0, title.lastIndexOf(BETWEEN)) : '';
}
