import { joinChanges, type TextChange } from '../../../src/code/snippets/changes.ts';
import type { Snippet } from '../../../src/code/snippets/forms.ts';
import { type OpenText, planInsertion } from '../../../src/code/snippets/insertion.ts';
import type { Place } from '../../../src/code/snippets/place.ts';

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

/** Returns the text that an insertion leads to. */
export function insertInto(file: OpenText, place: Place, snippet: Snippet): string {
  return applyChanges(file.text, planInsertion(file, place, snippet));
}

/** Returns a text with the changes, which don't overlap. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let result = '';
  let at = 0;
  for (const change of joinChanges(changes)) {
    result += text.slice(at, change.start) + change.text;
    at = change.end;
  }
  return result + text.slice(at);
}
