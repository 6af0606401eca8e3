/** The text that replaces `start` to `end` (exclusive, in UTF-16 units). */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Sorts changes and joins those that touch, as editors require. */
export function joinChanges(changes: readonly TextChange[]): readonly TextChange[] {
  const joined: TextChange[] = [];
  for (const change of changes.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    const last = joined.at(-1);
    if (last === undefined || change.start > last.end) joined.push(change);
    else joined.splice(-1, 1, { start: last.start, end: change.end, text: last.text + change.text });
  }
  return joined;
}

/** Returns the lines into which the sorted changes insert text, after the changes. An empty line marks a gap. */
export function changedLines(text: string, changes: readonly TextChange[]): string {
  let before = '';
  let end = 0;
  const inserted = changes.flatMap((change) => {
    before += text.slice(end, change.start);
    ({ end } = change);
    const start = before.length + (/^\s*\n/.exec(change.text)?.[0].length ?? 0);
    before += change.text;
    const length = change.text.trimEnd().length;
    return length === 0 ? [] : [{ start, end: before.length - change.text.length + length, text: '' }];
  });
  const after = before + text.slice(end);
  const lines = joinChanges(inserted.map((part) => linesAround(after, part)));
  return lines.map((part) => after.slice(part.start, part.end).replaceAll('\r', '').replace(/\n$/, '')).join('\n\n');
}

/** Includes line breaks, so that adjacent lines touch. */
function linesAround(text: string, { start, end }: Omit<TextChange, 'text'>): TextChange {
  const next = text.indexOf('\n', end);
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: next === -1 ? text.length : next + 1, text: '' };
}

/** Replaces the two spaces of each level of a snippet by `unit`, and indents its lines. */
export function indent(text: string, unit: string, indentation = ''): string {
  return text
    .replace(/^(?: {2})+/gm, (spaces) => unit.repeat(spaces.length / 2))
    .replace(/(?<=\n)(?=[^\n])/g, indentation);
}
