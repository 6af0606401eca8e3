import type { Snapshot } from '../model/store/snapshot.ts';
import { drawEmpty, drawMore, drawNotice, drawRetry } from './actRows.ts';
import { drawGroup, drawOrphans } from './groupRow.ts';
import type { Node, NodeKind } from './nodes.ts';
import { drawDay, drawRecording, drawRecordings } from './recordingRow.ts';
import type { Draw, DrawingContext, Row } from './row.ts';
import { drawSession } from './sessionRow.ts';
import { drawChild, drawStream } from './streamRow.ts';

/** How each kind of row is drawn. */
export const NODES: { readonly [K in NodeKind]: Draw<K> } = {
  group: drawGroup,
  stream: drawStream,
  session: drawSession,
  child: drawChild,
  recordings: drawRecordings,
  day: drawDay,
  recording: drawRecording,
  orphans: drawOrphans,
  more: drawMore,
  retry: drawRetry,
  empty: drawEmpty,
  notice: drawNotice,
};

/** What a row shows now. */
export function drawRow(snapshot: Snapshot, node: Node, drawing: DrawingContext): Row {
  // The table pairs each kind with its own function; the compiler cannot follow that through an index.
  const draw = NODES[node.kind] as Draw<NodeKind>;
  return draw(snapshot, node, drawing);
}
