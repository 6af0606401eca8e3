import type { Session } from '../../api/types.ts';
import { dayNumber, formatDayNumber, type Reader, secondOfDay } from '../../util/dates.ts';
import { type RecordingState, sessionDuration } from '../store/sessions.ts';

export const TIMELINE_DAYS = 30;

const SECONDS_A_DAY = 86_400;

/** A part of a session within one day, by the clock on the wall. */
export interface TimelineBar {
  /** Which of the sessions, by its place. */
  readonly session: number;
  /** 0 for the first day of the timeline. */
  readonly day: number;
  /** Seconds since midnight, 0 to 86,400; never after `to`. */
  readonly from: number;
  readonly to: number;
}

export interface Timeline {
  /** What each day is called, oldest first; the last is today. */
  readonly days: readonly string[];
  readonly bars: readonly TimelineBar[];
  /** Sessions that are in the picture. */
  readonly sessionCount: number;
  /** Seconds that were broadcast within the picture. */
  readonly seconds: number;
}

/** A session as the timeline needs it. */
export interface TimedSession {
  readonly session: Session;
  readonly state: RecordingState;
}

/**
 * When a stream was live in the last 30 days of the reader's calendar, today among them: a bar for each session and each
 * day it touches. A session that runs goes on until now; one without a duration is a bar without length at its start; one
 * without a start is not in the picture. Where clocks are set back, a bar that would end before it began has its true length.
 */
export function makeTimeline(sessions: readonly TimedSession[], reader: Reader): Timeline {
  const today = dayNumber(reader.now, reader) ?? 0;
  const first = today - TIMELINE_DAYS + 1;
  const bars = sessions.flatMap((timed, place) => barsOf(timed, place, first, reader));
  const days = Array.from({ length: TIMELINE_DAYS }, (_, day) => formatDayNumber(first + day, reader) ?? '');
  const shown = new Set(bars.map((bar) => bar.session));
  return { days, bars, sessionCount: shown.size, seconds: bars.reduce((sum, { from, to }) => sum + to - from, 0) };
}

function barsOf(timed: TimedSession, place: number, first: number, reader: Reader): readonly TimelineBar[] {
  const span = spanOf(timed, reader.now);
  const startDay = span && dayNumber(span.start, reader);
  const endDay = span && dayNumber(span.end, reader);
  if (span === undefined || startDay === undefined || endDay === undefined) return [];
  const start = secondOfDay(span.start, reader) ?? 0;
  const end = secondOfDay(span.end, reader) ?? 0;
  const bars: TimelineBar[] = [];
  for (let day = Math.max(startDay, first); day <= Math.min(endDay, first + TIMELINE_DAYS - 1); day++) {
    const from = day === startDay ? start : 0;
    const to = day === endDay ? end : SECONDS_A_DAY;
    const isCut = from === 0 && to === 0 && day !== startDay;
    if (!isCut) bars.push({ session: place, day: day - first, from, to: to < from ? trueEnd(from, span) : to });
  }
  return bars;
}

function trueEnd(from: number, { start, end }: { readonly start: number; readonly end: number }): number {
  return Math.min(SECONDS_A_DAY, from + (end - start) / 1000);
}

/** From when to when, epoch ms; undefined where the start is not known or lies in the future. */
function spanOf({ session, state }: TimedSession, now: number): { start: number; end: number } | undefined {
  const { createdAt: start } = session;
  if (start === undefined || start > now) return undefined;
  const end = state === 'running' ? now : start + (sessionDuration(session) ?? 0) * 1000;
  return { start, end: Math.min(end, now) };
}
