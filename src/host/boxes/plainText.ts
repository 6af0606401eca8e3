/**
 * Names come from the service, and the editor reads marks in some of its texts. These make such marks plain again.
 */

/** For notifications: `[words](command:…)` would become a link that runs a command. */
export function withoutLinks(message: string): string {
  return message.replaceAll('](', '] (');
}

/** What VS Code takes for an icon: it removes a backslash before this, and before nothing else. */
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;

/** For the status bar and quick picks: `$(name)` would become an icon. */
export function withoutIcons(text: string): string {
  return text.replace(ICON, '\\$&');
}
