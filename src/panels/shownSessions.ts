import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import {
  isBeingRecorded,
  isRunningIn,
  newestFirst,
  type RecordingState,
  recordingState,
  sessionDuration,
} from '../model/store/sessions.ts';
import type { Snapshot, SubList } from '../model/store/snapshot.ts';
import { isOnAir, isOutdated } from '../model/store/streams.ts';
import { liveLabel, loadMoreLabel, retryLabel } from '../texts/labels.ts';
import { recordingStatusText } from '../texts/recordingStatus.ts';
import { liveText, unknownStartText } from '../texts/sessions.ts';
import { dayNumber, formatDayAndClock, formatDayNumber, type Reader } from '../util/dates.ts';
import { formatCount, formatDuration } from '../util/format.ts';
import { hasText, joinParts } from '../util/text.ts';
import { secondOfDay } from '../util/timeOfDay.ts';
import type { ShownDay, ShownSession, ShownSessions } from '../webview/details/messages.ts';
import type { Tone } from '../webview/messages.ts';

export const TIMELINE_DAYS = 30;

const SECONDS_A_DAY = 86_400;
const MOST_SESSIONS = 500;
/** A day with less than this doesn't fill the height of the strip. */
const FULL_DAY_AT_LEAST_SECONDS = 3600;

const TONES: Readonly<Record<RecordingState, Tone>> = {
  running: 'live',
  ready: 'ready',
  waiting: 'processing',
  failed: 'failed',
  deleted: 'quiet',
  none: 'quiet',
  notRecorded: 'quiet',
  unknown: 'unknown',
};

/** A recording that plays is ready, even if its MP4 is still being processed. */
export function toneOfRecording({ session, state }: TimedSession): Tone {
  return state === 'waiting' && hasText(session.recordingUrl) ? TONES.ready : TONES[state];
}

function recordingTone(session: Session, state: RecordingState): Tone {
  if (state !== 'running') return toneOfRecording({ session, state });
  return isBeingRecorded(session) ? 'recording' : 'quiet';
}

/** Returns a stream's sessions as its page shows them; undefined if none were loaded yet. */
export function shownSessions(snapshot: Snapshot, streamId: string, reader: Reader): ShownSessions | undefined {
  const list = snapshot.sessions.get(streamId);
  if (list === undefined) return undefined;
  const shown = shownList(snapshot, { streamId, sessions: list.items }, reader);
  const stream = snapshot.streams.get(streamId)?.stream;
  // It isn't known how many there are.
  const isUnread = !list.isLoaded && list.items.length === 0;
  // A service lists a session a while after its broadcast has begun.
  const isAwaited = stream !== undefined && isOnAir(stream) && shown.days.every(({ bars }) => bars.length === 0);
  return {
    ...shown,
    summary: isUnread || isAwaited ? '' : shown.summary,
    notes: notesOf(snapshot, list),
    isLoading: isFirstLoad(list),
  };
}

/** Returns the known sessions of a stream that is gone; undefined if there are none. */
export function leftSessions(
  snapshot: Snapshot,
  { streamId, sessions }: StreamSessions,
  reader: Reader,
): ShownSessions | undefined {
  if (sessions.length === 0) return undefined;
  const list = { streamId, sessions: newestFirst(sessions) };
  return { ...shownList(snapshot, list, reader), notes: [], isLoading: false };
}

interface StreamSessions {
  readonly streamId: string;
  readonly sessions: readonly Session[];
}

function shownList(
  snapshot: Snapshot,
  { streamId, sessions: all }: StreamSessions,
  reader: Reader,
): Omit<ShownSessions, 'notes' | 'isLoading'> {
  // The stream is known by the list; the session itself may lack its `parentId`.
  const timed = all.slice(0, MOST_SESSIONS).map((session) => {
    return { session, state: recordingState(session, isRunningIn(snapshot, { ...session, parentId: streamId })) };
  });
  const timeline = makeTimeline(timed, reader);
  const { days } = timeline;
  return {
    sessions: timed.map((each) => shownSession(each, reader)),
    days: daysOf(timeline, timed, reader.locale),
    firstDay: days[0] ?? '',
    lastDay: days.at(-1) ?? '',
    legend: legendOf(timeline, timed, reader),
    summary: summaryOf(timeline, timed, reader),
  };
}

function shownSession({ session, state }: TimedSession, reader: Reader): ShownSession {
  const { id, createdAt, recordingUrl, mp4Url } = session;
  const isRunning = state === 'running';
  const hasMp4 = mp4Url !== undefined && mp4Url !== '';
  return {
    id,
    start: formatDayAndClock(createdAt, reader) ?? unknownStartText(),
    duration: isRunning ? liveText(session, reader.now) : (formatDuration(sessionDuration(session)) ?? ''),
    isLive: isRunning,
    recording: recordingStatusText(session, state, reader),
    tone: recordingTone(session, state),
    canPlay: !isRunning && ((recordingUrl !== undefined && recordingUrl !== '') || hasMp4),
    canDownload: !isRunning && hasMp4,
  };
}

function daysOf({ days, bars }: Timeline, timed: readonly TimedSession[], locale: string): readonly ShownDay[] {
  const perDay = Map.groupBy(bars, ({ day }) => day);
  const secondsOf = (day: number) => (perDay.get(day) ?? []).reduce((sum, { from, to }) => sum + to - from, 0);
  const most = Math.max(FULL_DAY_AT_LEAST_SECONDS, ...[...perDay.keys()].map(secondsOf));
  return days.map((label, day) => {
    const own = perDay.get(day) ?? [];
    const shown = own.toReversed().map(({ session, from, to }) => {
      return { tone: toneOf(timed[session]), share: (to - from) / most };
    });
    const words = [
      label,
      ...(own.length === 0 ? [t('Not live')] : [countText(own.length, locale), formatDuration(secondsOf(day))]),
    ];
    return {
      words: words.filter((word) => word !== undefined).join(' · '),
      bars: shown,
      session: own[0]?.session,
    };
  });
}

function countText(count: number, locale: string): string {
  return count === 1 ? t('1 session') : t('{0} sessions', formatCount(count, locale) ?? '');
}

function toneOf(timed: TimedSession | undefined): Tone {
  return timed === undefined ? TONES.none : toneOfRecording(timed);
}

const LEGEND: readonly Tone[] = ['live', 'ready', 'processing', 'failed', 'quiet', 'unknown'];

/** Uses the words of the table. */
function legendOf({ bars }: Timeline, timed: readonly TimedSession[], reader: Reader): ShownSessions['legend'] {
  const used = bars.flatMap(({ session }) => timed[session] ?? []);
  return LEGEND.flatMap((tone) => {
    const words = used.filter((each) => toneOf(each) === tone).map((each) => legendWord(each, reader));
    return words.length === 0 ? [] : [{ tone, label: [...new Set(words)].join(' / ') }];
  });
}

function legendWord({ session, state }: TimedSession, reader: Reader): string {
  if (state === 'running') return liveLabel();
  if (state !== 'waiting') return recordingStatusText(session, state, reader);
  return toneOfRecording({ session, state }) === TONES.ready ? t('Ready') : t('Processing');
}

function summaryOf(
  { sessionCount: count, seconds }: Timeline,
  timed: readonly TimedSession[],
  { now, locale }: Reader,
): string {
  const { length } = timed;
  if (count === 0) return length === 0 ? t('No sessions yet') : t('Not live in the last 30 days');
  const earlier =
    timed.filter(({ session }) => session.createdAt !== undefined && session.createdAt <= now).length - count;
  const counted = joinParts(countText(count, locale), seconds > 0 && formatDuration(seconds));
  const recent = t('Last 30 days: {0}', counted ?? '');
  return earlier === 0 ? recent : t('{0} ({1} older)', recent, formatCount(earlier, locale) ?? '');
}

function isFirstLoad({ isLoading, isLoaded }: SubList<Session>): boolean {
  return isLoading && !isLoaded;
}

function notesOf(snapshot: Snapshot, list: SubList<Session>): ShownSessions['notes'] {
  const notes: ShownSessions['notes'][number][] = [];
  // The page says that everything that it shows is outdated.
  const isSaid = list.isLoaded && isOutdated(snapshot);
  if (list.trouble !== undefined && !isFirstLoad(list) && !isSaid) {
    // While the service fails or rejects the key, the page has one button for everything.
    const button = { label: retryLabel(), act: 'retry' } as const;
    notes.push({ text: t("Couldn't load the sessions."), ...(isOutdated(snapshot) ? {} : { button }) });
  }
  if (list.hasNextPage && list.items.length < MOST_SESSIONS) {
    const button = { label: loadMoreLabel(), act: 'loadMore' } as const;
    notes.push({ text: t("Older sessions aren't shown."), button });
  } else if (list.hasNextPage || list.items.length > MOST_SESSIONS) {
    notes.push({ text: t('Only the latest {0} sessions are shown.', MOST_SESSIONS) });
  }
  return notes;
}

/** The part of a session within one day, in local time. */
interface SessionBar {
  /** Index of the session. */
  readonly session: number;
  /** 0 for the first day of the timeline. */
  readonly day: number;
  /** Seconds since midnight, 0 to 86,400; never after `to`. */
  readonly from: number;
  readonly to: number;
}

interface Timeline {
  /** Labels, oldest first; the last is today. */
  readonly days: readonly string[];
  readonly bars: readonly SessionBar[];
  readonly sessionCount: number;
  readonly seconds: number;
}

interface TimedSession {
  readonly session: Session;
  readonly state: RecordingState;
}

/**
 * Returns when a stream was live in the last 30 days including today, in the user's time zone: one bar per session and
 * day. A running session ends now; one without a duration becomes a bar of zero length; one without a start is left
 * out. If clocks are set back and a bar would end before it begins, it gets its real length.
 */
export function makeTimeline(sessions: readonly TimedSession[], reader: Reader): Timeline {
  const today = dayNumber(reader.now, reader) ?? 0;
  const first = today - TIMELINE_DAYS + 1;
  const bars = sessions.flatMap((timed, session) => barsOf(timed, first, reader).map((bar) => ({ session, ...bar })));
  const days = Array.from({ length: TIMELINE_DAYS }, (_, day) => formatDayNumber(first + day, reader) ?? '');
  const shown = new Set(bars.map((bar) => bar.session));
  return { days, bars, sessionCount: shown.size, seconds: bars.reduce((sum, { from, to }) => sum + to - from, 0) };
}

function barsOf(timed: TimedSession, first: number, reader: Reader): readonly Omit<SessionBar, 'session'>[] {
  const span = spanOf(timed, reader.now);
  const startDay = span && dayNumber(span.start, reader);
  const endDay = span && dayNumber(span.end, reader);
  if (span === undefined || startDay === undefined || endDay === undefined) return [];
  const start = secondOfDay(span.start, reader) ?? 0;
  const end = secondOfDay(span.end, reader) ?? 0;
  const bars: Omit<SessionBar, 'session'>[] = [];
  for (let day = Math.max(startDay, first); day <= endDay; day++) {
    const from = day === startDay ? start : 0;
    const to = day === endDay ? end : SECONDS_A_DAY;
    const isCut = to === 0 && day !== startDay;
    if (!isCut) bars.push({ day: day - first, from, to: to < from ? trueEnd(from, span) : to });
  }
  return bars;
}

function trueEnd(from: number, { start, end }: { readonly start: number; readonly end: number }): number {
  return Math.min(SECONDS_A_DAY, from + (end - start) / 1000);
}

function spanOf({ session, state }: TimedSession, now: number): { start: number; end: number } | undefined {
  const { createdAt: start } = session;
  if (start === undefined || start > now) return undefined;
  const end = state === 'running' ? now : start + (sessionDuration(session) ?? 0) * 1000;
  return { start, end: Math.min(end, now) };
}
