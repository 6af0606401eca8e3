import { t } from '@vscode/l10n';
import { type SessionParent, sessionParent } from '../model/store/recordings.ts';
import { findRecording, isRunningIn, recordingState } from '../model/store/sessions.ts';
import { streamLabel } from '../model/store/streams.ts';
import { formatClock, formatDayAndClock, formatDayNumber } from '../util/dates.ts';
import { oneLine } from '../util/text.ts';
import { plainValue } from './contextValues.ts';
import type { Draw } from './row.ts';
import { recordingWord, sessionLooks, sessionWords } from './sessionRow.ts';
import { goneRow } from './streamRow.ts';
import { joinParts, joinWords } from './texts.ts';
import { sessionTooltip } from './tooltip.ts';

export const drawRecordings: Draw<'recordings'> = () => {
  const label = t('Recordings');
  return { label, contextValue: plainValue('gone'), collapsible: 'expanded', accessibilityLabel: label };
};

export const drawDay: Draw<'day'> = (_snapshot, { day }, drawing) => {
  const label = (day === undefined ? undefined : formatDayNumber(day, drawing)) ?? t('Date not known');
  const accessibilityLabel = t('Sessions of {0}', label);
  return { label, contextValue: plainValue('day'), collapsible: 'expanded', accessibilityLabel };
};

/** "Keynote | 18:00 · 1 h 02 min · recording ready". Opening one without a recording explains why. */
export const drawRecording: Draw<'recording'> = (snapshot, { sessionId }, drawing) => {
  const session = findRecording(snapshot, sessionId);
  if (session === undefined) return goneRow(sessionId, 'none');
  const state = recordingState(session, isRunningIn(snapshot, session));
  const parent = sessionParent(snapshot, session);
  const label = parentLabel(parent);
  const isNamedGone = parent.kind === 'gone' && parent.name !== undefined;
  const words = [...sessionWords(session, state, drawing), isNamedGone ? t('stream deleted') : undefined];
  const description = joinParts(formatClock(session.createdAt, drawing), ...words);
  return {
    label,
    ...(description === undefined ? {} : { description }),
    get tooltip() {
      return sessionTooltip(session, { recording: recordingWord(session, state, drawing), stream: label }, drawing);
    },
    ...sessionLooks(session, state),
    command: 'openRecording',
    accessibilityLabel: joinWords(label, formatDayAndClock(session.createdAt, drawing), ...words),
  };
};

function parentLabel(parent: SessionParent): string {
  switch (parent.kind) {
    case 'named':
      return oneLine(streamLabel(parent));
    case 'gone':
      return parent.name === undefined ? t('Deleted stream') : oneLine(streamLabel({ ...parent, name: parent.name }));
    case 'unknown':
      return parent.id ?? t('Stream not known');
  }
}
