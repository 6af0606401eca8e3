import { oneLine } from '../util/text.ts';

/** Any text as Markdown that shows just that text: no link, picture, HTML or table cell can come of it. One line, cut. */
export function escapeMarkdown(text: string, max = 200): string {
  return oneLine(text, max).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** A table of plain texts, the first row its head. Ragged rows are filled. */
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
