/** What replaces `start` to `end` (exclusive, in UTF-16 units) of a text. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Puts changes in their order, and makes those that touch one, as editors want them. */
export function joinChanges(changes: readonly TextChange[]): readonly TextChange[] {
  const joined: TextChange[] = [];
  for (const change of changes.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    const last = joined.at(-1);
    if (last === undefined || change.start > last.end) joined.push(change);
    else joined.splice(-1, 1, { start: last.start, end: change.end, text: last.text + change.text });
  }
  return joined;
}

/** Replaces the two spaces that each level of a snippet is indented by, and indents its lines. */
export function indent(text: string, unit: string, indentation = ''): string {
  return text
    .replace(/^(?: {2})+/gm, (spaces) => unit.repeat(spaces.length / 2))
    .replace(/(?<=\n)(?=[^\n])/g, indentation);
}
