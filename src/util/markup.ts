import { oneLine } from './text.ts';

/** Names come from the service, and VS Code interprets markup in some strings. These functions escape it. */

/** For notifications, where `[words](command:…)` would become a link that runs a command. */
export function withoutLinks(message: string): string {
  return message.replaceAll('](', '] (');
}

// The text that VS Code replaces with an icon. It removes a backslash only before this.
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;

/** For the Status Bar and Quick Picks, where `$(name)` would become an icon. */
export function withoutIcons(text: string): string {
  return text.replace(ICON, '\\$&');
}

/** Escapes any text so that it can't become a link, image, HTML, or table cell. One line, cut to `max` characters. */
export function escapeMarkdown(text: string, max = 200): string {
  return oneLine(text, max).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
