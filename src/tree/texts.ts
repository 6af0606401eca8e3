import { t } from '@vscode/l10n';
import { streamLabel } from '../model/store/streams.ts';
import { oneLine } from '../util/text.ts';

// Each row that shows a name costs as much as it is long.
const LONGEST_NAME = 1000;

/** Returns the name of a stream for a row, whole: VS Code cuts what doesn't fit, and its find searches all of it. */
export function nameLine(stream: { readonly id: string; readonly name: string }): string {
  return oneLine(streamLabel(stream), LONGEST_NAME);
}

/** Whether the service sent a value. An empty string counts as none. */
export function hasText(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}

/** Joins the parts of a description with dots, skipping missing, false and empty ones. Undefined if none is left. */
export function joinParts(...parts: readonly (string | false | undefined)[]): string | undefined {
  const there = parts.filter((part) => part !== undefined && part !== false && part !== '');
  return there.length === 0 ? undefined : there.join(' · ');
}

/** The same with commas, for screen readers, which don't speak the dots. */
export function joinWords(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join(', ');
}

export function streamsWord(count: string | undefined): string | undefined {
  if (count === undefined) return undefined;
  return count === '1' ? t('1 stream') : t('{0} streams', count);
}

/** Escapes any text so that it can't become a link, image, HTML or table cell. One line, cut to `max` characters. */
export function escapeMarkdown(text: string, max = 200): string {
  return oneLine(text, max).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
