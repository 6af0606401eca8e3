import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import {
  findSession,
  isRunningIn,
  type RecordingState,
  recordingState,
  sessionDuration,
  sessionEnd,
} from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { streamLabel } from '../model/store/streams.ts';
import { formatDayAndClock } from '../util/dates.ts';
import { formatDuration, formatSpokenDuration } from '../util/format.ts';
import { placedValue } from './contextValues.ts';
import { type NodeOf, streamNode } from './nodes.ts';
import type { DrawingContext, Row, RowIcon } from './row.ts';
import type { RowKinds } from './rowKind.ts';
import { goneRow, liveIcon } from './streamRow.ts';
import { hasText, joinParts, joinWords } from './texts.ts';
import { sessionLinks, sessionTooltip } from './tooltip.ts';

export const SESSION_ROWS: RowKinds<'session'> = {
  session: {
    draw: drawSession,
    showsTime: true,
    parent: (_snapshot, { list, streamId }) => streamNode(list, streamId),
    redraw: ({ isOutdated }, node) => (isOutdated(node) ? [node] : []),
    refresh: ({ loader }, { streamId }) => loader.reloadSessions(streamId),
    target: ({ sessionId: id, streamId }) => ({ kind: 'session', id, streamId, isRecording: false }),
    below: undefined,
  },
};

function drawSession(snapshot: Snapshot, node: NodeOf<'session'>, drawing: DrawingContext): Row {
  const found = findSession(snapshot, node.streamId, node.sessionId);
  if (found === undefined) return goneRow(node.sessionId, 'none');
  // The stream is known from the row's place: the service may omit it.
  const session = { ...found, parentId: node.streamId };
  const state = recordingState(session, isRunningIn(snapshot, session));
  const label = formatDayAndClock(session.createdAt, drawing) ?? t('Unknown start time');
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
    accessibilityLabel: joinWords(t('Session, {0}', label), ...spokenWords(session, state, drawing)),
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
        { stream: name, state: stateSentence(session, state, drawing), isRunning: state === 'running' },
        drawing,
      ),
      links: sessionLinks(snapshot, session),
    }),
  };
}

/** ["live for 12 min"], ["1 h 2 min"], or ["failed", "1 h 2 min"]. The icon says the rest: ready, not recorded, unknown. */
export function sessionWords(
  session: Session,
  state: RecordingState,
  drawing: DrawingContext,
): readonly (string | undefined)[] {
  if (state === 'running') return [recordingWord(session, state, drawing)];
  const duration = formatDuration(sessionDuration(session));
  return isUnready(state) ? [recordingWord(session, state, drawing), duration] : [duration];
}

// Whether something was recorded that can't be watched.
function isUnready(state: RecordingState): boolean {
  return state === 'waiting' || state === 'failed' || state === 'deleted';
}

/** The same for screen readers, which speak no icons. */
export function spokenWords(
  session: Session,
  state: RecordingState,
  drawing: DrawingContext,
): readonly (string | undefined)[] {
  const { now, locale } = drawing;
  if (state === 'running') {
    const { createdAt } = session;
    const since = createdAt === undefined ? undefined : Math.max(0, now - createdAt) / 1000;
    const duration = formatSpokenDuration(since, locale);
    return [duration === undefined ? t('live') : t('live for {0}', duration)];
  }
  return [formatSpokenDuration(sessionDuration(session), locale), spokenState(session, state, drawing)];
}

function spokenState(session: Session, state: Exclude<RecordingState, 'running'>, drawing: DrawingContext): string {
  switch (state) {
    case 'waiting':
      return t('recording is being processed');
    case 'ready':
      return t('recording is ready');
    case 'deleted':
      return t('recording was deleted');
    default:
      return recordingWord(session, state, drawing);
  }
}

function stateSentence(session: Session, state: RecordingState, drawing: DrawingContext): string {
  if (state !== 'running') return recordingPhrase(session, state, drawing);
  return session.record
    ? t('Live now. The recording will be available after the broadcast ends.')
    : t('Live now. Not recorded.');
}

/** The state of a recording where nothing else says that it is about one: "Recording ready". */
export function recordingPhrase(
  session: Session,
  state: Exclude<RecordingState, 'running'>,
  drawing: Pick<DrawingContext, 'now'>,
): string {
  switch (state) {
    case 'waiting': {
      const duration = processingTime(session, drawing);
      return duration === undefined ? t('Processing recording') : t('Processing recording ({0})', duration);
    }
    case 'ready':
      return t('Recording ready');
    case 'failed':
      return t('Recording failed');
    case 'deleted':
      return t('Recording deleted');
    case 'none':
    case 'notRecorded':
      return t('Not recorded');
    case 'unknown':
      return session.recordingStatus === undefined ? t('Recorded') : t('Recording status unknown');
  }
}

export function recordingWord(session: Session, state: RecordingState, drawing: DrawingContext): string {
  switch (state) {
    case 'running':
      return runningWord(session, drawing);
    case 'waiting':
      return t('processing');
    case 'ready':
      return t('ready');
    case 'failed':
      return t('failed');
    case 'deleted':
      return t('deleted');
    case 'none':
    case 'notRecorded':
      return t('not recorded');
    case 'unknown':
      return unknownWord(session);
  }
}

// A status that isn't known is a word of the service, in its language.
function unknownWord({ recordingStatus }: Session): string {
  return recordingStatus === undefined ? t('recorded') : t('status unknown');
}

function runningWord({ createdAt }: Session, { now }: DrawingContext): string {
  const duration = createdAt === undefined ? undefined : formatDuration(Math.max(0, now - createdAt) / 1000);
  return duration === undefined ? t('live') : t('live for {0}', duration);
}

export function processingTime(session: Session, { now }: Pick<DrawingContext, 'now'>): string | undefined {
  const end = sessionEnd(session);
  return formatDuration(end === undefined ? undefined : Math.max(0, now - end) / 1000);
}

const ICONS: Readonly<Record<RecordingState, RowIcon>> = {
  running: { id: 'circle-filled', color: 'liveStreams.liveForeground' },
  waiting: { id: 'sync' },
  ready: { id: 'play-circle' },
  failed: { id: 'error', color: 'liveStreams.failedForeground' },
  deleted: { id: 'trash' },
  none: { id: 'circle-outline' },
  notRecorded: { id: 'circle-outline' },
  unknown: { id: 'question' },
};
