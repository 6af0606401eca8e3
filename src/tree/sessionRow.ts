import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import { type NodeOf, streamNode } from '../model/rows/nodes.ts';
import { findSession, isRunningIn, type RecordingState, recordingState } from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { streamLabel } from '../model/store/streams.ts';
import { sessionSentence, sessionWords, spokenSessionWords, unknownStartText } from '../texts/sessions.ts';
import type { StateIcon } from '../texts/streams.ts';
import { formatDayAndClock } from '../util/dates.ts';
import { hasText, joinParts, joinWords } from '../util/text.ts';
import { placedValue } from './contextValues.ts';
import type { DrawingContext, Row } from './row.ts';
import type { RowKinds } from './rowKind.ts';
import { goneRow, liveIcon } from './streamRow.ts';
import { sessionLinks, sessionTooltip } from './tooltip.ts';

export const SESSION_ROWS: RowKinds<'session'> = {
  session: {
    draw: drawSession,
    showsTime: true,
    parent: (_snapshot, { list, streamId }) => streamNode(list, streamId),
    redraw: ({ isOutdated }, node) => (isOutdated(node) ? [node] : []),
    below: undefined,
  },
};

function drawSession(snapshot: Snapshot, node: NodeOf<'session'>, drawing: DrawingContext): Row {
  const found = findSession(snapshot, node.streamId, node.sessionId);
  if (found === undefined) return goneRow(node.sessionId, 'none');
  // The stream is known from the row's place: the service may omit it.
  const session = { ...found, parentId: node.streamId };
  const state = recordingState(session, isRunningIn(snapshot, session));
  const label = formatDayAndClock(session.createdAt, drawing) ?? unknownStartText();
  const stream = snapshot.streams.get(node.streamId)?.stream;
  return {
    label,
    description: joinParts(...sessionWords(session, state, drawing)),
    ...sessionHover(
      snapshot,
      session,
      { name: stream === undefined ? node.streamId : streamLabel(stream), state },
      drawing,
    ),
    ...sessionLooks(snapshot, session, state),
    accessibilityLabel: joinWords(t('Session, {0}', label), ...spokenSessionWords(session, state, drawing)),
  };
}

/** What the rows of a session have in common in both views. A click plays what there is to play. */
export function sessionLooks(
  snapshot: Snapshot,
  session: Session,
  state: RecordingState,
): Pick<Row, 'icon' | 'contextValue' | 'collapsible' | 'command'> {
  const hasRecording = hasText(session.recordingUrl);
  const hasMp4 = hasText(session.mp4Url);
  return {
    icon: state === 'running' ? liveIcon(ICONS.running, snapshot) : ICONS[state],
    contextValue: placedValue('session', [hasRecording, hasMp4]),
    collapsible: 'none',
    command: hasRecording || hasMp4 ? 'openRecording' : 'showSession',
  };
}

export function sessionHover(
  snapshot: Snapshot,
  session: Session,
  { name, state }: { readonly name: string; readonly state: RecordingState },
  drawing: DrawingContext,
): Pick<Row, 'tooltip'> {
  return {
    tooltip: () => ({
      markdown: sessionTooltip(
        session,
        { stream: name, state: sessionSentence(session, state, drawing), isRunning: state === 'running' },
        drawing,
      ),
      links: sessionLinks(snapshot, session),
    }),
  };
}

const ICONS: Readonly<Record<RecordingState, StateIcon>> = {
  running: { id: 'circle-filled', color: 'liveStreams.liveForeground' },
  waiting: { id: 'sync' },
  ready: { id: 'play-circle' },
  failed: { id: 'error', color: 'liveStreams.failedForeground' },
  deleted: { id: 'trash' },
  none: { id: 'circle-outline' },
  notRecorded: { id: 'circle-outline' },
  unknown: { id: 'question' },
};
