import type { OpenText } from '../../../src/code/snippets/insertion.ts';

/** Returns a file with a cursor at each `|`, or with what stands between `«` and `»` selected. */
export function openText(languageId: string, marked: string, unit = '  '): OpenText {
  const cursors: { start: number; end: number }[] = [];
  let text = '';
  for (const part of marked.split(/([|«»])/)) {
    const last = cursors.at(-1);
    if (part === '|' || part === '«') cursors.push({ start: text.length, end: text.length });
    else if (part === '»' && last !== undefined) last.end = text.length;
    else text += part;
  }
  if (cursors.length === 0) throw new Error('The text has no cursor');
  return { languageId, text, unit, cursors };
}
