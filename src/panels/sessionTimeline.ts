import type { Session } from '../api/types.ts';
import { type RecordingState, sessionDuration } from '../model/store/sessions.ts';
import { dayNumber, formatDayNumber, type Reader, secondOfDay } from '../util/dates.ts';

export const TIMELINE_DAYS = 30;

const SECONDS_A_DAY = 86_400;

/** The part of a session within one day, in local time. */
export interface SessionBar {
  /** Index of the session. */
  readonly session: number;
  /** 0 for the first day of the timeline. */
  readonly day: number;
  /** Seconds since midnight, 0 to 86,400; never after `to`. */
  readonly from: number;
  readonly to: number;
}

export interface Timeline {
  /** Labels, oldest first; the last is today. */
  readonly days: readonly string[];
  readonly bars: readonly SessionBar[];
  readonly sessionCount: number;
  readonly seconds: number;
}

export interface TimedSession {
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
  for (let day = Math.max(startDay, first); day <= Math.min(endDay, first + TIMELINE_DAYS - 1); day++) {
    const from = day === startDay ? start : 0;
    const to = day === endDay ? end : SECONDS_A_DAY;
    const isCut = from === 0 && to === 0 && day !== startDay;
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
