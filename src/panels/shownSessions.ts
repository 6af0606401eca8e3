import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import { isRunningIn, type RecordingState, recordingState, sessionDuration } from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { recordingWord } from '../tree/sessionRow.ts';
import { formatDayAndClock, type Reader } from '../util/dates.ts';
import { formatCount, formatDuration } from '../util/format.ts';
import type { SessionLook, ShownSession, ShownSessions } from '../webview/details/messages.ts';
import { makeTimeline, type TimedSession, type Timeline } from './sessionTimeline.ts';

const MOST_SESSIONS = 500;
const MOST_COMPARED = 24;

const LOOKS: Readonly<Record<RecordingState, SessionLook>> = {
  running: 'running',
  ready: 'ready',
  waiting: 'processing',
  failed: 'lost',
  deleted: 'lost',
  none: 'lost',
  unknown: 'recorded',
  notRecorded: 'notRecorded',
};

/** Returns a stream's sessions as the details page renders them; undefined if none were loaded yet. */
export function shownSessions(snapshot: Snapshot, streamId: string, reader: Reader): ShownSessions | undefined {
  const list = snapshot.sessions.get(streamId);
  if (list === undefined) return undefined;
  const timed = list.items.slice(0, MOST_SESSIONS).map((session) => timedSession(snapshot, session, streamId));
  const sessions = timed.map((each) => shownSession(each, reader));
  const timeline = makeTimeline(timed, reader);
  const { days, bars } = timeline;
  const compared = comparedOf(sessions);
  const ready = new Set(
    bars.filter(({ session }) => sessions[session]?.look === 'ready').map(({ session }) => session),
  );
  return {
    sessions,
    days,
    bars,
    timeline: timelineWords(timeline, ready.size, reader.locale),
    compared,
    comparison: comparisonWords(compared.length),
    notes: notesOf(snapshot, streamId),
    isLoading: list.isLoading && !list.isLoaded,
  };
}

export function lookOf(state: RecordingState): SessionLook {
  return LOOKS[state];
}

/** The stream is known by the list; the session itself may lack its `parentId`. */
function timedSession(snapshot: Snapshot, session: Session, streamId: string): TimedSession {
  return { session, state: recordingState(session, isRunningIn(snapshot, { ...session, parentId: streamId })) };
}

function shownSession({ session, state }: TimedSession, reader: Reader): ShownSession {
  const source = positive(session.sourceSegmentsDuration);
  const transcoded = positive(session.transcodedSegmentsDuration);
  return {
    id: session.id,
    start: formatDayAndClock(session.createdAt, reader) ?? t('Start not known'),
    duration: formatDuration(durationOf(session, state, reader)) ?? '',
    recording: recordingWord(session, state, reader),
    look: lookOf(state),
    canOpen: session.recordingUrl !== undefined && session.recordingUrl !== '',
    ...(source === undefined ? {} : { source }),
    ...(transcoded === undefined ? {} : { transcoded }),
    sourceText: formatDuration(source) ?? '',
    transcodedText: formatDuration(transcoded) ?? '',
  };
}

function durationOf(session: Session, state: RecordingState, { now }: Reader): number | undefined {
  if (state !== 'running' || session.createdAt === undefined) return sessionDuration(session);
  return Math.max(0, now - session.createdAt) / 1000;
}

function positive(seconds: number | undefined): number | undefined {
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** The newest sessions that have a duration, oldest first. */
function comparedOf(sessions: readonly ShownSession[]): readonly number[] {
  const known = sessions.flatMap(({ source, transcoded }, place) =>
    (source ?? transcoded) === undefined ? [] : [place],
  );
  return known.slice(0, MOST_COMPARED).reverse();
}

function timelineWords({ sessionCount: count, seconds }: Timeline, ready: number, locale: string): string {
  if (count === 0) return t('Not live in the last 30 days.');
  const total = formatDuration(seconds) ?? '';
  const sessions = count === 1 ? t('1 session') : t('{0} sessions', formatCount(count, locale) ?? '');
  const recordings = ready === 1 ? t('1 recording ready') : t('{0} recordings ready', formatCount(ready, locale) ?? '');
  return t('{0} in the last 30 days, live for {1} in all, {2}.', sessions, total, recordings);
}

function comparisonWords(count: number): string {
  if (count === 0) return t('No session says how long its source and its renditions are.');
  return count === 1 ? t('The latest session.') : t('The latest {0} sessions, oldest first.', count);
}

function notesOf(snapshot: Snapshot, streamId: string): ShownSessions['notes'] {
  const list = snapshot.sessions.get(streamId);
  if (list === undefined) return [];
  const notes: { text: string; button?: ShownSessions['notes'][number]['button'] & object }[] = [];
  if (list.trouble !== undefined) {
    notes.push({ text: t('The sessions could not be loaded.'), button: { label: t('Retry'), act: 'retry' } });
  }
  if (snapshot.recordedOnly) {
    const button = { label: t('Show All Sessions'), act: 'showAllSessions' } as const;
    notes.push({ text: t('Only recorded sessions, as in the Streams view.'), button });
  }
  if (list.hasNextPage && list.items.length < MOST_SESSIONS) {
    const button = { label: t('Load More'), act: 'loadMore' } as const;
    notes.push({ text: t('There are older sessions that are not loaded.'), button });
  } else if (list.hasNextPage || list.items.length > MOST_SESSIONS) {
    notes.push({ text: t('The newest {0} sessions are shown.', MOST_SESSIONS) });
  }
  return notes;
}
