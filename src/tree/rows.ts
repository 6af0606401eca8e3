import type { Snapshot } from '../model/store/snapshot.ts';
import { drawEmpty, drawMore, drawNotice, drawRetry } from './actRows.ts';
import { drawGroup, drawOrphans } from './groupRow.ts';
import type { Node, NodeKind } from './nodes.ts';
import { drawDay, drawRecording, drawRecordings } from './recordingRow.ts';
import type { Draw, DrawingContext, Row } from './row.ts';
import { drawSession } from './sessionRow.ts';
import { drawChild, drawStream } from './streamRow.ts';

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

export function drawRow(snapshot: Snapshot, node: Node, drawing: DrawingContext): Row {
  // Each kind is paired with its own function, but the compiler can't follow that through an index.
  const draw = NODES[node.kind] as Draw<NodeKind>;
  return draw(snapshot, node, drawing);
}
