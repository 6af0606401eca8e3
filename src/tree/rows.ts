import type { Snapshot } from '../model/store/snapshot.ts';
import { drawEmpty, drawMore, drawNotice, drawRetry } from './actRows.ts';
import { drawGroup, drawOrphans } from './groupRow.ts';
import type { Node, NodeKind } from './nodes.ts';
import { drawDay, drawRecording, drawRecordings } from './recordingRow.ts';
import type { Draw, DrawingContext, Row } from './row.ts';
import { drawSession } from './sessionRow.ts';
import { drawChild, drawStream } from './streamRow.ts';

interface Kind<K extends NodeKind> {
  readonly draw: Draw<K>;
  /** Whether its text changes with time alone, as in "5 min ago". */
  readonly showsTime: boolean;
}

/** What depends on the kind of a node. */
export const NODES: { readonly [K in NodeKind]: Kind<K> } = {
  group: { draw: drawGroup, showsTime: false },
  stream: { draw: drawStream, showsTime: true },
  session: { draw: drawSession, showsTime: true },
  child: { draw: drawChild, showsTime: true },
  recordings: { draw: drawRecordings, showsTime: false },
  day: { draw: drawDay, showsTime: true },
  recording: { draw: drawRecording, showsTime: true },
  orphans: { draw: drawOrphans, showsTime: false },
  more: { draw: drawMore, showsTime: false },
  retry: { draw: drawRetry, showsTime: false },
  empty: { draw: drawEmpty, showsTime: false },
  notice: { draw: drawNotice, showsTime: false },
};

export function isNodeKind(kind: unknown): kind is NodeKind {
  return typeof kind === 'string' && Object.hasOwn(NODES, kind);
}

export function drawRow(snapshot: Snapshot, node: Node, drawing: DrawingContext): Row {
  // Each kind is paired with its own function, but the compiler can't follow that through an index.
  const { draw } = NODES[node.kind] as Kind<NodeKind>;
  return draw(snapshot, node, drawing);
}
