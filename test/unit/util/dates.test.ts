import assert from 'node:assert/strict';
import {
  dayNumber,
  formatClock,
  formatDate,
  formatDateTime,
  formatDay,
  formatDayAndClock,
  formatDayNumber,
} from '../../../src/util/dates.ts';
import { secondOfDay } from '../../../src/util/timeOfDay.ts';

const NOW = Date.UTC(2026, 10, 20, 10, 54);
const HOUR = 3_600_000;

function reader(timeZone: string, now = NOW, locale = 'en') {
  return { now, locale, timeZone };
}

describe('days', () => {
  it('are Today and Yesterday by the calendar, not by 24 hours', () => {
    assert.equal(formatDay(NOW - 10 * HOUR, reader('UTC')), 'Today');
    assert.equal(formatDay(NOW - 11 * HOUR, reader('UTC')), 'Yesterday');
    assert.equal(formatDay(NOW - 34 * HOUR, reader('UTC')), 'Yesterday');
    assert.equal(formatDay(NOW - 35 * HOUR, reader('UTC')), 'Nov 18');
  });

  it('are those of the time zone it is read in', () => {
    const at = Date.UTC(2026, 10, 19, 23, 30);
    assert.equal(formatDay(at, reader('UTC')), 'Yesterday');
    assert.equal(formatDay(at, reader('Europe/Berlin')), 'Today');
    assert.equal(formatDay(Date.UTC(2026, 10, 20, 2), reader('America/Los_Angeles')), 'Yesterday');
  });

  it('hold where clocks change: such a day has 23 or 25 hours', () => {
    const afterSpring = Date.UTC(2026, 2, 29, 22, 30);
    assert.equal(
      formatDayAndClock(Date.UTC(2026, 2, 28, 23, 30), reader('Europe/Berlin', afterSpring)),
      'Yesterday 00:30',
    );
    const afterAutumn = Date.UTC(2026, 9, 25, 22, 30);
    assert.equal(formatDayAndClock(Date.UTC(2026, 9, 24, 22, 0), reader('Europe/Berlin', afterAutumn)), 'Today 00:00');
    assert.equal(
      formatDayAndClock(Date.UTC(2026, 9, 24, 21, 59), reader('Europe/Berlin', afterAutumn)),
      'Yesterday 23:59',
    );
  });

  it('name the year where it is another, also across New Year', () => {
    assert.equal(formatDay(Date.UTC(2024, 10, 12), reader('UTC')), 'Nov 12, 2024');
    const newYear = Date.UTC(2027, 0, 1, 8);
    assert.equal(formatDay(Date.UTC(2026, 11, 31, 20), reader('UTC', newYear)), 'Yesterday');
    assert.equal(formatDay(Date.UTC(2026, 11, 30, 20), reader('UTC', newYear)), 'Dec 30, 2026');
  });

  it('are written in the locale', () => {
    assert.equal(formatDay(Date.UTC(2026, 10, 12, 12), reader('UTC', NOW, 'de')), '12. Nov.');
    const today = ['de', 'es', 'fr', 'ja', 'zh-cn'].map((locale) => formatDay(NOW, reader('UTC', NOW, locale)));
    assert.deepEqual(today, ['Heute', 'Hoy', 'Aujourd’hui', '今日', '今天']);
    const dayBefore = ['de', 'es', 'fr', 'ja', 'zh-cn'].map((locale) =>
      formatDay(NOW - 24 * HOUR, reader('UTC', NOW, locale)),
    );
    assert.deepEqual(dayBefore, ['Gestern', 'Ayer', 'Hier', '昨日', '昨天']);
  });
});

describe('days that are counted', () => {
  it('are the same for all times of a day in the reader’s zone, and written as that day', () => {
    const kiritimati = reader('Pacific/Kiritimati');
    const [first, last] = [Date.UTC(2026, 10, 19, 10), Date.UTC(2026, 10, 20, 9, 59)];
    assert.equal(dayNumber(first, kiritimati), dayNumber(last, kiritimati));
    assert.equal(dayNumber(last + 60_000, kiritimati), (dayNumber(last, kiritimati) ?? 0) + 1);
    assert.equal(formatDayNumber(dayNumber(first, kiritimati) ?? 0, kiritimati), 'Yesterday');
    assert.equal(formatDayNumber(dayNumber(NOW, kiritimati) ?? 0, kiritimati), 'Today');
  });

  it('are written as formatDay writes them, with the weekday of what is older, wherever they are read', () => {
    for (const zone of ['UTC', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu']) {
      for (let hours = 0; hours < 24 * 400; hours += 7) {
        const at = NOW - hours * HOUR;
        assert.equal(
          formatDayNumber(dayNumber(at, reader(zone)) ?? 0, reader(zone)),
          formatDay(at, reader(zone), 'weekday'),
        );
      }
    }
  });

  it('have no weekday where the year is needed', () => {
    const written = (at: number) => formatDayNumber(dayNumber(at, reader('UTC')) ?? 0, reader('UTC'));
    assert.deepEqual([NOW - 48 * HOUR, NOW - 400 * 24 * HOUR].map(written), ['Wed, Nov 18', 'Oct 16, 2025']);
  });

  it('are none for what is no time', () => {
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1, undefined]) {
      assert.equal(dayNumber(odd, reader('UTC')), undefined);
      assert.equal(formatDate(odd, reader('UTC')), undefined);
    }
    assert.equal(typeof dayNumber(8.64e15, reader('UTC')), 'number');
    assert.equal(formatDayNumber(20_777, reader('UTC', Number.NaN)), 'Nov 20, 2026');
  });

  it('can be written without a word for them', () => {
    assert.equal(formatDate(NOW, reader('UTC')), 'Nov 20');
    assert.equal(formatDate(Date.UTC(2025, 11, 31, 23, 30), reader('UTC')), 'Dec 31, 2025');
    assert.equal(formatDate(Date.UTC(2025, 11, 31, 23, 30), reader('Europe/Berlin')), 'Jan 1');
  });
});

describe('clock times', () => {
  it('have 24 hours, midnight being 00', () => {
    assert.equal(formatClock(Date.UTC(2026, 10, 20, 0, 5), reader('UTC')), '00:05');
    assert.equal(formatClock(Date.UTC(2026, 10, 20, 17, 5), reader('UTC')), '17:05');
    assert.equal(formatClock(Date.UTC(2026, 10, 20, 17, 5), reader('Asia/Kolkata')), '22:35');
  });

  it('come with their day where one is wanted', () => {
    assert.equal(formatDayAndClock(NOW, reader('UTC')), 'Today 10:54');
    assert.equal(formatDateTime(NOW, reader('UTC')), 'Nov 20, 2026, 10:54:00');
  });
});

describe('the time of day', () => {
  it('is what the clock on the wall shows, in seconds, also on days when clocks change', () => {
    const berlin = { now: NOW, locale: 'de', timeZone: 'Europe/Berlin' };
    assert.equal(secondOfDay(NOW, { now: NOW, locale: 'ar-EG', timeZone: 'UTC' }), (10 * 60 + 54) * 60);
    assert.equal(secondOfDay(Date.UTC(2026, 2, 29, 1), berlin), 3 * 3600);
    assert.equal(secondOfDay(Date.UTC(2026, 9, 25, 0, 30), berlin), 2.5 * 3600);
    assert.equal(secondOfDay(Date.UTC(2026, 9, 25, 1, 30), berlin), 2.5 * 3600);
    assert.equal(secondOfDay(Date.UTC(2026, 10, 19, 23), berlin), 0);
  });

  it('is none for what is no time', () => {
    for (const at of [undefined, Number.NaN, 1e20]) {
      assert.equal(secondOfDay(at, { now: NOW, locale: 'en', timeZone: 'UTC' }), undefined);
    }
  });
});

describe('odd times', () => {
  it('are not written', () => {
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1, -8.64e15 - 1, undefined]) {
      assert.equal(formatClock(odd, reader('UTC')), undefined);
      assert.equal(formatDayAndClock(odd, reader('UTC')), undefined);
      assert.equal(formatDateTime(odd, reader('UTC')), undefined);
    }
  });

  it('are written however far away they are', () => {
    assert.match(formatDay(8.64e15, reader('UTC')) ?? '', /275760/);
    assert.equal(formatDay(NOW + 24 * HOUR, reader('UTC')), 'Nov 21');
    assert.equal(formatDay(NOW, reader('UTC', Number.NaN)), 'Nov 20, 2026');
  });

  it('are read as UTC and English in a zone or locale that does not exist', () => {
    assert.equal(formatClock(NOW, reader('Mars/Olympus')), '10:54');
    assert.equal(formatDay(Date.UTC(2026, 10, 12), reader('UTC', NOW, 'no locale!')), 'Nov 12');
  });
});
