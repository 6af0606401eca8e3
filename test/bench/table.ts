import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from './measure.ts';

const BEGIN = '<!-- npm run bench -- --write: begin -->';
const END = '<!-- npm run bench -- --write: end -->';

/** A Markdown table. */
export function formatTable(results: readonly Result[]): string {
  const rows = results.map(({ figure, measured, reference, aim, isMet }) => [
    figure,
    measured,
    reference,
    isMet === undefined ? aim : `${aim}: ${isMet ? 'met' : '**missed**'}`,
  ]);
  const lines = [['figure', 'measured', 'beside it, in the same run', 'aim'], ['---', '---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** The page with `text` between the two marks; throws where they are not there, once each and in this order. */
export function putBetweenMarks(page: string, text: string): string {
  const [head, middle, ...more] = page.split(BEGIN);
  const [, tail, ...others] = (middle ?? '').split(END);
  if (head === undefined || tail === undefined || more.length + others.length > 0) {
    throw new Error(`The page needs one line "${BEGIN}", and one "${END}" after it`);
  }
  return `${head}${BEGIN}\n${text}\n${END}${tail}`;
}

export function writeBetweenMarks(file: string, text: string): void {
  writeFileSync(file, putBetweenMarks(readFileSync(file, 'utf8'), text));
}
