import type { Node, NodeKind, PagedKind } from '../model/rows/nodes.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { loadingLabel, retryLabel } from '../texts/labels.ts';
import { CHILD_STREAM_ROWS } from './childStreamRows.ts';
import { FILTER_ROWS } from './filterRow.ts';
import { NOTICE_ROWS } from './noticeRows.ts';
import { RECORDING_ROWS } from './recordingsTree.ts';
import { type DrawingContext, GONE, plainRow, type Row, textTooltip } from './row.ts';
import { type EndTexts, type PagedRowKind, type RowKind, type RowKinds, WITHOUT_ROWS } from './rowKind.ts';
import { SESSION_ROWS } from './sessionRow.ts';
import { STREAM_ROWS } from './streamsTree.ts';

/** The last rows of a list. They are here because their labels depend on the kind of the row whose list it is. */
const END_ROWS: RowKinds<'more' | 'retry' | 'empty'> = {
  more: endRow(drawMore),
  retry: endRow(drawRetry),
  empty: endRow(drawEmpty),
};

/** Everything that a view shows of a node, by kind. */
export const NODES: RowKinds<NodeKind> = {
  ...STREAM_ROWS,
  ...SESSION_ROWS,
  ...CHILD_STREAM_ROWS,
  ...RECORDING_ROWS,
  ...END_ROWS,
  ...NOTICE_ROWS,
  ...FILTER_ROWS,
};

const GONE_KIND = { ...FILTER_ROWS.filter, draw: () => GONE };

/**
 * Each kind is paired with functions for its own nodes, which the compiler can't follow through an index. After a
 * switch, VS Code may still request the row of a connection, which isn't among these kinds.
 */
export function rowKind(node: Node): RowKind<NodeKind> {
  return NODES[node.kind] ?? GONE_KIND;
}

export function drawRow(snapshot: Snapshot, node: Node, drawing: DrawingContext): Row {
  return rowKind(node).draw(snapshot, node, drawing);
}

function endRow(draw: (texts: EndTexts) => Row): RowKind<'more' | 'retry' | 'empty'> {
  return {
    draw(snapshot, { of }, drawing) {
      const kind: PagedRowKind<PagedKind> = NODES[of.kind];
      return draw(kind.below.endTexts(snapshot, of, drawing));
    },
    showsTime: false,
    // The root of the Recordings view isn't a row.
    parent: (_snapshot, { of }) => (of.kind === 'recordings' ? undefined : of),
    ...WITHOUT_ROWS,
  };
}

function drawMore({ isLoadingMore, more, moreNote, moreTooltip }: EndTexts): Row {
  const label = isLoadingMore ? loadingLabel() : more;
  const description = isLoadingMore ? undefined : moreNote;
  return plainRow('more', label, {
    description,
    tooltip: textTooltip(moreTooltip ?? description),
    icon: { id: isLoadingMore ? 'loading~spin' : 'ellipsis' },
    command: 'loadMore',
  });
}

function drawRetry({ retryReason }: EndTexts): Row {
  return plainRow('retry', retryLabel(), {
    description: retryReason,
    tooltip: textTooltip(retryReason),
    icon: { id: 'refresh' },
    command: 'retry',
  });
}

function drawEmpty({ empty: label = '' }: EndTexts): Row {
  return plainRow('empty', label);
}
