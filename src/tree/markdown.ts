import { oneLine } from '../util/text.ts';

/** Escapes any text so that it can't become a link, image, HTML or table cell. One line, cut to `max` characters. */
export function escapeMarkdown(text: string, max = 200): string {
  return oneLine(text, max).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Returns a Markdown table of plain texts. The first row is the head; short rows are filled with empty cells. */
export function markdownTable(rows: readonly (readonly string[])[], max = 200): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const lines = rows.map((row) =>
    tableLine(Array.from({ length: width }, (_, i) => escapeMarkdown(row[i] ?? '', max))),
  );
  lines.splice(1, 0, tableLine(Array.from({ length: width }, () => '---')));
  return lines.join('\n');
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
