import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from './measure.ts';

/** Of package.json's commands, those that write a table into the page. */
export type TableCommand = 'bench' | 'soak' | 'fuzz';

/** A Markdown table. */
export function formatTable(results: readonly Result[]): string {
  const rows = results.map(({ figure, measured, reference, aim, isMet }) => [
    figure,
    measured,
    reference,
    isMet === undefined ? aim : `${aim}: ${isMet ? 'met' : '**missed**'}`,
  ]);
  const lines = [['Benchmark', 'Result', 'Baseline (same run)', 'Target'], ['---', '---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** The page with `text` between the two marks; throws where they are not there, once each and in this order. */
export function putBetweenMarks(page: string, text: string, command: TableCommand = 'bench'): string {
  const [begin, end] = [markOf(command, 'begin'), markOf(command, 'end')];
  const [head, middle, ...more] = page.split(begin);
  const [, tail, ...others] = (middle ?? '').split(end);
  if (head === undefined || tail === undefined || more.length + others.length > 0) {
    throw new Error(`The page needs one line "${begin}", and one "${end}" after it`);
  }
  return `${head}${begin}\n${text}\n${end}${tail}`;
}

function markOf(command: TableCommand, place: 'begin' | 'end'): string {
  return `<!-- npm run ${command} -- --write: ${place} -->`;
}

export function writeBetweenMarks(file: string, text: string, command: TableCommand = 'bench'): void {
  writeFileSync(file, putBetweenMarks(readFileSync(file, 'utf8'), text, command));
}
