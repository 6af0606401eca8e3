import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import {
  findSession,
  isRunningIn,
  type RecordingState,
  recordingState,
  sessionDuration,
} from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { formatDayAndClock } from '../util/dates.ts';
import { formatDuration } from '../util/format.ts';
import { oneLine } from '../util/text.ts';
import { placedValue } from './contextValues.ts';
import { type NodeOf, streamNode } from './nodes.ts';
import type { DrawingContext, Row, RowIcon } from './row.ts';
import type { RowKinds } from './rowKind.ts';
import { goneRow } from './streamRow.ts';
import { hasText, joinParts, joinWords } from './texts.ts';
import { sessionTooltip } from './tooltip.ts';

const STILL_AFTER_MS = 15 * 60_000;

export const SESSION_ROWS: RowKinds<'session'> = {
  session: {
    draw: drawSession,
    showsTime: true,
    parent: (_snapshot, { list, streamId }) => streamNode(list, streamId),
    // A change of its stream's sessions redraws the stream.
    redraw: () => [],
    below: undefined,
  },
};

function drawSession(snapshot: Snapshot, node: NodeOf<'session'>, drawing: DrawingContext): Row {
  const session = findSession(snapshot, node.streamId, node.sessionId);
  if (session === undefined) return goneRow(node.sessionId, 'none');
  // The stream is known from the row's place: the service may omit it.
  const state = recordingState(session, isRunningIn(snapshot, { ...session, parentId: node.streamId }));
  const label = formatDayAndClock(session.createdAt, drawing) ?? t('Unknown start time');
  const words = sessionWords(session, state, drawing);
  return {
    label,
    description: joinParts(...words),
    get tooltip() {
      return sessionTooltip(session, { recording: recordingWord(session, state, drawing) }, drawing);
    },
    ...sessionLooks(session, state),
    command: hasText(session.recordingUrl) || hasText(session.mp4Url) ? 'openRecording' : 'showSession',
    accessibilityLabel: joinWords(t('Session, {0}', label), ...words),
  };
}

export function sessionLooks(
  session: Session,
  state: RecordingState,
): Pick<Row, 'icon' | 'contextValue' | 'collapsible'> {
  return {
    icon: ICONS[state],
    contextValue: placedValue('session', [hasText(session.recordingUrl), hasText(session.mp4Url)]),
    collapsible: 'none',
  };
}

/** ["running 12 min"], or ["1 h 02 min", "recording ready"]. */
export function sessionWords(
  session: Session,
  state: RecordingState,
  drawing: DrawingContext,
): readonly (string | undefined)[] {
  if (state !== 'running') return [formatDuration(sessionDuration(session)), recordingWord(session, state, drawing)];
  return [recordingWord(session, state, drawing)];
}

export function recordingWord(session: Session, state: RecordingState, drawing: DrawingContext): string {
  switch (state) {
    case 'running':
      return runningWord(session, drawing);
    case 'waiting':
      return processingWord(session, drawing);
    case 'ready':
      return t('ready');
    case 'failed':
      return t('failed');
    case 'deleted':
      return t('deleted');
    case 'none':
      return t('no recording');
    case 'notRecorded':
      return t('not recorded');
    case 'unknown':
      return oneLine(session.recordingStatus ?? '', 40) || t('recorded');
  }
}

function runningWord({ createdAt }: Session, { now }: DrawingContext): string {
  const duration = createdAt === undefined ? undefined : formatDuration(Math.max(0, now - createdAt) / 1000);
  return duration === undefined ? t('live') : t('live for {0}', duration);
}

function processingWord(session: Session, { now }: DrawingContext): string {
  const end = endOf(session);
  const ms = end === undefined ? undefined : Math.max(0, now - end);
  const duration = formatDuration(ms === undefined ? undefined : ms / 1000);
  if (ms === undefined || duration === undefined) return t('processing');
  return ms < STILL_AFTER_MS ? t('processing ({0})', duration) : t('processing ({0})', duration);
}

function endOf(session: Session): number | undefined {
  const { lastSeen, createdAt } = session;
  if (lastSeen !== undefined || createdAt === undefined) return lastSeen;
  return createdAt + (sessionDuration(session) ?? 0) * 1000;
}

const ICONS: Readonly<Record<RecordingState, RowIcon>> = {
  running: { id: 'circle-filled', color: 'liveStreams.liveForeground' },
  waiting: { id: 'watch' },
  ready: { id: 'play-circle' },
  failed: { id: 'error', color: 'liveStreams.failedForeground' },
  deleted: { id: 'trash' },
  none: { id: 'dash' },
  notRecorded: { id: 'circle-outline' },
  unknown: { id: 'question' },
};
