import assert from 'node:assert/strict';
import type { Session } from '../../../src/api/types.ts';
import type { RecordingState } from '../../../src/model/store/sessions.ts';
import { leftSessions, makeTimeline, shownSessions, TIMELINE_DAYS } from '../../../src/panels/shownSessions.ts';
import { aSession, aSnapshot, DAY, HOUR, MINUTE, NOW, SECOND } from '../../support/model/builders.ts';

const UTC = { now: NOW, locale: 'en', timeZone: 'UTC' };
const LAST = TIMELINE_DAYS - 1;

describe('The days of a stream’s sessions', () => {
  it('count them in the digits of the reader, like the summary', () => {
    const sessions = ['a', 'b'].map((id) => aSession({ id, createdAt: NOW - HOUR, sourceSegmentsDuration: 60 }));
    const shown = shownSessions(aSnapshot({ sessions: { s1: sessions } }), 's1', { ...UTC, locale: 'ar-EG' });
    const two = (2).toLocaleString('ar-EG');
    assert.ok(shown?.summary.startsWith(`Last 30 days: ${two} sessions`), shown?.summary);
    assert.match(shown?.days.at(-1)?.words ?? '', new RegExp(`· ${two} sessions ·`));
  });
});

describe('The legend of a stream’s sessions', () => {
  it('explains only what is shown of the last 30 days', () => {
    const legendOf = (createdAt: number) => {
      const sessions = [aSession({ id: 'a', createdAt, sourceSegmentsDuration: 60, recordingStatus: 'failed' })];
      return shownSessions(aSnapshot({ sessions: { s1: sessions } }), 's1', UTC)?.legend;
    };
    assert.deepEqual(legendOf(NOW - 2 * DAY), [{ tone: 'failed', label: 'Failed' }]);
    assert.deepEqual(legendOf(NOW - 40 * DAY), []);
  });
});

describe('The summary of a stream’s sessions', () => {
  it('says how long they were in total, if anything was sent in them', () => {
    const summaryWith = (sourceSegmentsDuration: number) => {
      const createdAt = NOW - HOUR;
      const sessions = [aSession({ id: 'a', createdAt, lastSeen: createdAt, sourceSegmentsDuration })];
      return shownSessions(aSnapshot({ sessions: { s1: sessions } }), 's1', UTC)?.summary;
    };
    assert.equal(summaryWith(600), 'Last 30 days: 1 session · 10 min');
    assert.equal(summaryWith(0), 'Last 30 days: 1 session');
  });
});

describe('The timeline of a stream’s sessions', () => {
  const timelineOf = (sessions: readonly Partial<Session>[], reader = UTC, state: RecordingState = 'ready') =>
    makeTimeline(
      sessions.map((given, at) => ({ session: aSession({ id: `s${at}`, lastSeen: undefined, ...given }), state })),
      reader,
    );
  const barsOf = (...args: Parameters<typeof timelineOf>) =>
    timelineOf(...args).bars.map(({ day, from, to }) => [day, from / 3600, to / 3600]);
  const from = (at: number, hours: number) => ({ createdAt: at, sourceSegmentsDuration: hours * 3600 });

  it('has thirty days, today last', () => {
    const { days } = timelineOf([]);
    assert.equal(days.length, 30);
    assert.deepEqual(days.slice(-3), ['Wed, Nov 18', 'Yesterday', 'Today']);
    assert.equal(days[0], 'Thu, Oct 22');
  });

  it('has a bar for each session, from its start for as long as it lasted', () => {
    const start = Date.UTC(2026, 10, 18, 9);
    assert.deepEqual(barsOf([from(start, 1.5)]), [[LAST - 2, 9, 10.5]]);
    const { sessionCount, seconds } = timelineOf([from(start, 1.5), from(start + 5 * HOUR, 1)]);
    assert.deepEqual([sessionCount, seconds], [2, 2.5 * 3600]);
  });

  it('has a bar on each day that a session touches', () => {
    const bars = barsOf([from(Date.UTC(2026, 10, 17, 22), 28)]);
    assert.deepEqual(bars, [
      [LAST - 3, 22, 24],
      [LAST - 2, 0, 24],
      [LAST - 1, 0, 2],
    ]);
    assert.equal(timelineOf([from(Date.UTC(2026, 10, 17, 22), 28)]).sessionCount, 1);
  });

  it('has no bar for a session whose start is not known, or lies ahead, or before the days that are shown', () => {
    const before = from(NOW - (TIMELINE_DAYS + 1) * DAY, 1);
    const { bars, sessionCount, seconds } = timelineOf([{ createdAt: undefined }, from(NOW + HOUR, 1), before]);
    assert.deepEqual([bars, sessionCount, seconds], [[], 0, 0]);
  });

  it('shows of a session that began before the days that are shown only what is on them', () => {
    const first = Date.UTC(2026, 9, 22);
    assert.deepEqual(barsOf([from(first - 2 * HOUR, 3)]), [[0, 0, 1]]);
  });

  it('has nothing on the day that begins as a session ends', () => {
    assert.deepEqual(barsOf([from(Date.UTC(2026, 10, 17, 22), 2)]), [[LAST - 3, 22, 24]]);
  });

  it('counts the days and hours of the reader’s time zone', () => {
    const start = Date.UTC(2026, 10, 17, 23, 30);
    assert.deepEqual(barsOf([from(start, 1)], { ...UTC, timeZone: 'Asia/Tokyo' }), [[LAST - 2, 8.5, 9.5]]);
    assert.deepEqual(barsOf([from(start, 1)], { ...UTC, timeZone: 'America/New_York' }), [[LAST - 3, 18.5, 19.5]]);
  });

  it('reads the clock on the wall where an hour is skipped', () => {
    const reader = { now: Date.UTC(2026, 2, 30, 12), locale: 'en', timeZone: 'Europe/Berlin' };
    // 01:30 to 03:30 by the clock, one hour of time.
    assert.deepEqual(barsOf([from(Date.UTC(2026, 2, 29, 0, 30), 1)], reader), [[LAST - 1, 1.5, 3.5]]);
  });

  it('gives a session its true length where an hour comes twice and it would end before it began', () => {
    const reader = { now: Date.UTC(2026, 9, 26, 12), locale: 'en', timeZone: 'Europe/Berlin' };
    // 02:50 in summer time to 02:20 in winter time.
    assert.deepEqual(barsOf([from(Date.UTC(2026, 9, 25, 0, 50), 0.5)], reader), [
      [LAST - 1, 2 + 50 / 60, 2 + 50 / 60 + 0.5],
    ]);
  });

  it('keeps thirty columns over a change of the clocks', () => {
    const reader = { now: Date.UTC(2026, 10, 20, 12), locale: 'en', timeZone: 'Europe/Berlin' };
    const { days } = timelineOf([], reader);
    assert.equal(new Set(days).size, 30);
  });

  it('shows what began before the thirty days from their beginning', () => {
    assert.deepEqual(barsOf([from(Date.UTC(2026, 9, 21, 23), 2)]), [[0, 0, 1]]);
    assert.deepEqual(barsOf([from(NOW - 40 * DAY, 5)]), []);
  });

  it('draws a session without a duration, or with one that makes no sense, as a moment', () => {
    const createdAt = Date.UTC(2026, 10, 18, 9);
    for (const sourceSegmentsDuration of [undefined, 0, -250]) {
      assert.deepEqual(
        barsOf([{ createdAt, ...(sourceSegmentsDuration === undefined ? {} : { sourceSegmentsDuration }) }]),
        [[LAST - 2, 9, 9]],
      );
    }
    assert.deepEqual(barsOf([{ createdAt, lastSeen: createdAt - HOUR }]), [[LAST - 2, 9, 9]]);
  });

  it('draws a moment at midnight', () => {
    assert.deepEqual(barsOf([{ createdAt: Date.UTC(2026, 10, 18) }]), [[LAST - 2, 0, 0]]);
  });

  it('lets a session that runs go on until now, whatever was counted so far', () => {
    const session = { createdAt: NOW - 90 * MINUTE, sourceSegmentsDuration: 60 };
    assert.deepEqual(barsOf([session], UTC, 'running'), [[LAST, 9.4, 10.9]]);
  });

  it('never draws what lies in the future', () => {
    assert.deepEqual(barsOf([from(NOW - HOUR, 10_000)]), [[LAST, 9.9, 10.9]]);
    assert.deepEqual(barsOf([from(NOW + SECOND, 1)]), []);
  });

  it('leaves out sessions whose start is not known or is no time', () => {
    assert.deepEqual(barsOf([{ createdAt: undefined }, { createdAt: Number.NaN }, { createdAt: -9e15 }]), []);
  });
});

describe('The sessions that are left of a stream that is gone', () => {
  const left = (sessions: Parameters<typeof leftSessions>[1]['sessions']) =>
    leftSessions(aSnapshot(), { streamId: 's1', sessions }, { ...UTC, locale: 'en' });

  it('are shown without notes, and aren’t loading; where there are none, nothing is shown', () => {
    const shown = left([aSession({ id: 'x1' })]);
    assert.deepEqual([shown?.sessions.map(({ id }) => id), shown?.notes, shown?.isLoading], [['x1'], [], false]);
    assert.equal(left([]), undefined);
  });
});
