import { t } from '@vscode/l10n';
import { isId } from '../api/ids.ts';
import type { Session } from '../api/types.ts';
import { clipNode, type Node, type NodeOf, recordingNode, sessionNode, streamNode } from '../model/rows/nodes.ts';
import { sessionParent } from '../model/store/recordings.ts';
import {
  clipsOf,
  findSession,
  isBeingRecorded,
  isPlayable,
  isRunningIn,
  type RecordingState,
  recordingState,
} from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { atLastAnswer, streamLabel } from '../model/store/streams.ts';
import { clipIcon, clipName, clipStatus, clipsText, clipWord, createdText } from '../texts/clips.ts';
import { showDetailsLabel, watchClipLabel } from '../texts/labels.ts';
import {
  goneStreamWord,
  sessionIcon,
  sessionSentence,
  sessionWords,
  spokenSessionWords,
  unknownStartText,
} from '../texts/sessions.ts';
import { formatDayAndClock } from '../util/dates.ts';
import { escapeMarkdown } from '../util/markup.ts';
import { hasText, joinParts, joinWords } from '../util/text.ts';
import { placedValue } from './contextValues.ts';
import { type DrawingContext, GONE, type Row, type RowLink } from './row.ts';
import { hasSameIds, type Redrawing, type RowKind, type RowKinds, WITHOUT_ROWS } from './rowKind.ts';
import { liveIcon } from './streamRow.ts';
import { paragraphs, sessionLinks, sessionTooltip } from './tooltip.ts';

type SessionNode = NodeOf<'session' | 'recording'>;

/** Below a session, in either view. Clips are listed with sessions, so nothing has to be loaded. */
export const CLIPS_BELOW: NonNullable<RowKind<'session' | 'recording'>['below']> = {
  children: clipRows,
  ensure: () => undefined,
  pollTarget: () => undefined,
  isCounted: false,
};

export const SESSION_ROWS: RowKinds<'session' | 'clip'> = {
  session: {
    draw: drawSession,
    showsTime: true,
    parent: (_snapshot, { list, streamId }) => streamNode(list, streamId),
    redraw: redrawWithClips,
    below: CLIPS_BELOW,
  },
  clip: {
    draw: drawClip,
    showsTime: false,
    parent: (_snapshot, { list, streamId, sessionId }) =>
      list === undefined ? recordingNode(sessionId, streamId) : sessionNode(list, streamId, sessionId),
    ...WITHOUT_ROWS,
  },
};

function drawSession(snapshot: Snapshot, node: NodeOf<'session'>, drawing: DrawingContext): Row {
  const found = findSession(snapshot, node.streamId, node.sessionId);
  if (found === undefined) return GONE;
  // The stream is known from the row's place: the service may omit it.
  const session = { ...found, parentId: node.streamId };
  const label = formatDayAndClock(session.createdAt, drawing) ?? unknownStartText();
  const stream = snapshot.streams.get(node.streamId)?.stream;
  const name = stream === undefined ? node.streamId : streamLabel(stream);
  return drawSessionRow(snapshot, session, { label, name, spoken: [t('Session, {0}', label)] }, drawing);
}

type Words = readonly (string | false | undefined)[];

interface SessionRow {
  readonly label: string;
  /** The name of the stream. */
  readonly name: string;
  /** The words that screen readers read first. */
  readonly spoken: Words;
}

/** Draws a session in either view. A click plays its recording, or the live stream. */
export function drawSessionRow(
  snapshot: Snapshot,
  session: Session,
  { label, name, spoken }: SessionRow,
  drawing: DrawingContext,
): Row {
  const state = recordingState(session, isRunningIn(snapshot, session));
  const known = [session, state, atLastAnswer(snapshot, drawing)] as const;
  const clips = clipsText(clipsOf(snapshot, session.parentId, session.id).length, drawing);
  return {
    label,
    description: joinParts(...sessionWords(...known), clips),
    ...sessionHover(snapshot, session, { name, state }, drawing),
    ...sessionLooks(session, state, snapshot),
    collapsible: clips === undefined ? 'none' : 'collapsed',
    accessibilityLabel: joinWords(...spoken, ...spokenSessionWords(...known), clips),
  };
}

function sessionLooks(
  session: Session,
  state: RecordingState,
  snapshot: Snapshot,
): Pick<Row, 'icon' | 'contextValue' | 'command'> {
  const canPlay = isPlayable(session);
  const isRunning = state === 'running';
  const isRecorded = isRunning && isBeingRecorded(session);
  const icon = sessionIcon(session, state);
  return {
    icon: isRunning || state === 'waiting' ? liveIcon(icon, snapshot) : icon,
    contextValue: placedValue('session', [
      hasText(session.recordingUrl),
      hasText(session.mp4Url),
      isRecorded,
      canPlay && (state === 'ready' || state === 'unknown'),
      isRunning,
      sessionParent(snapshot, session).kind === 'gone',
    ]),
    command: isRunning ? 'watchStream' : canPlay ? 'openRecording' : 'showSession',
  };
}

export function sessionHover(
  snapshot: Snapshot,
  session: Session,
  { name, state }: { readonly name: string; readonly state: RecordingState },
  drawing: DrawingContext,
) {
  return {
    tooltip: () => ({
      markdown: sessionTooltip(
        session,
        {
          stream: name,
          state:
            joinParts(
              sessionSentence(session, state, atLastAnswer(snapshot, drawing)),
              goneStreamWord(snapshot, session),
            ) ?? '',
          clips: clipsOf(snapshot, session.parentId, session.id).length,
          isRunning: state === 'running',
        },
        drawing,
      ),
      links: sessionLinks(snapshot, session),
    }),
  };
}

function clipRows(snapshot: Snapshot, node: SessionNode): readonly Node[] {
  const { streamId = '' } = node;
  return clipsOf(snapshot, streamId, node.sessionId).map(({ id }) => clipNode({ ...node, streamId }, id));
}

export function redrawWithClips({ isOutdated, painted, changes, redraw }: Redrawing, node: SessionNode) {
  if (isOutdated(node)) return [node];
  const rows = painted.children(node);
  if (rows === undefined) return [];
  return hasSameIds(rows, clipRows(changes.current, node)) ? rows.flatMap(redraw) : [node];
}

function drawClip(snapshot: Snapshot, { streamId, sessionId, clipId }: NodeOf<'clip'>, drawing: DrawingContext): Row {
  const clip = clipsOf(snapshot, streamId, sessionId).find(({ id }) => id === clipId);
  if (clip === undefined) return GONE;
  const [label, word] = [clipName(clip, drawing), clipWord(clip)];
  const isPlayable = hasText(clip.playbackUrl) || hasText(clip.downloadUrl);
  const facts = joinParts(createdText(formatDayAndClock(clip.createdAt, drawing)), clipStatus(clip));
  const links: (RowLink | false)[] = [
    isPlayable && isId(clipId) && { title: watchClipLabel(), command: 'openClip', id: clipId },
    isId(sessionId) && { title: showDetailsLabel(), command: 'showSession', id: sessionId },
  ];
  return {
    label,
    description: word,
    tooltip: () => ({
      markdown: paragraphs([
        `**${escapeMarkdown(label, 400)}**`,
        escapeMarkdown(facts ?? ''),
        escapeMarkdown(clip.problem ?? '', 300),
      ]),
      links: links.filter((link) => link !== false),
    }),
    icon: clipIcon(clip),
    contextValue: placedValue('clip', [isPlayable, hasText(clip.downloadUrl)]),
    collapsible: 'none',
    command: isPlayable ? 'openClip' : 'showSession',
    accessibilityLabel: joinWords(t('Clip, {0}', label), word),
  };
}
