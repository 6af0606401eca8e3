import type { ViewNode } from '../model/rows/nodes.ts';

const STREAMS: readonly ViewNode['kind'][] = ['stream', 'child'];

/** The kinds of rows that a key is limited to. The other commands refuse rows that they can't change. */
const KINDS: Readonly<Record<string, readonly ViewNode['kind'][]>> = { showStream: STREAMS, copyPlaybackId: STREAMS };

/**
 * Returns what a key of the Streams view passes to its command, as a menu would: a row, and all that it acts on. These
 * are the selected rows if the focused one is among them, otherwise that one alone. Returns undefined if there is
 * nothing to act on.
 */
export function argumentsOfKey(
  id: string,
  focused: ViewNode,
  selection: readonly ViewNode[],
): readonly [row: ViewNode, rows: readonly ViewNode[]] | undefined {
  const meant = selection.includes(focused) ? selection : [focused];
  const rows = meant.filter(({ kind }) => KINDS[id]?.includes(kind) ?? true);
  const row = rows.includes(focused) ? focused : rows[0];
  return row === undefined ? undefined : [row, rows];
}

/** Whether Enter opens this row's details. On other rows, it expands the row or runs its command, as VS Code does. */
export function hasDetailsOnEnter({ kind }: ViewNode): boolean {
  return STREAMS.includes(kind);
}
