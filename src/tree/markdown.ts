import { oneLine } from '../util/text.ts';

/** Escapes any text so that it can't become a link, image, HTML or table cell. One line, cut to `max` characters. */
export function escapeMarkdown(text: string, max = 200): string {
  return oneLine(text, max).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
