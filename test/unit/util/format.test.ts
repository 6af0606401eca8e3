import assert from 'node:assert/strict';
import {
  formatAge,
  formatBitrate,
  formatCount,
  formatDuration,
  formatSpokenAge,
  formatSpokenDuration,
  formatTimer,
  formatWait,
} from '../../../src/util/format.ts';
import { formatBytes } from '../../../src/util/formatBytes.ts';

const ABSURD = 1e308;
const ODD = [Number.NaN, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, undefined];

describe('durations', () => {
  it('are written in seconds, minutes, or hours and minutes', () => {
    const written = [0, 0.4, 45, 59.9, 60, 12 * 60, 3599, 3600, 3720, 86_399].map(formatDuration);
    assert.deepEqual(written, [
      ...['0 s', '0 s', '45 s', '59 s', '1 min', '12 min', '59 min', '1 h', '1 h 2 min', '23 h 59 min'],
    ]);
  });

  it('are written in days and hours from a day on', () => {
    const hours = [24, 25.5, 100, 2708].map((hours) => formatDuration(hours * 3600));
    assert.deepEqual(hours, ['1 d', '1 d 1 h', '4 d 4 h', '112 d 20 h']);
  });

  it('are not written where there is none', () => {
    for (const odd of [...ODD, ABSURD]) assert.equal(formatDuration(odd), undefined);
  });
});

describe('durations for screen readers', () => {
  it('are whole words, in the language of the reader', () => {
    const spoken = [0, 1, 45, 60, 3599, 3600, 3720, 90_000].map((seconds) => formatSpokenDuration(seconds, 'en'));
    assert.deepEqual(spoken, [
      ...['0 seconds', '1 second', '45 seconds', '1 minute', '59 minutes', '1 hour', '1 hour 2 minutes'],
      '1 day 1 hour',
    ]);
    assert.equal(formatSpokenDuration(3720, 'de'), '1 Stunde 2 Minuten');
    assert.equal(formatSpokenDuration(3720, 'ja'), '1 時間 2 分');
    for (const odd of [...ODD, ABSURD]) assert.equal(formatSpokenDuration(odd, 'en'), undefined);
  });

  it('name the largest unit alone where they are ages', () => {
    const spoken = [0, 45_000, 240_000, 7_200_000, 800 * 86_400_000].map((ms) => formatSpokenAge(ms, 'en'));
    assert.deepEqual(spoken, ['0 seconds', '45 seconds', '4 minutes', '2 hours', '2 years']);
    for (const odd of [...ODD, ABSURD]) assert.equal(formatSpokenAge(odd, 'en'), undefined);
  });
});

describe('waits', () => {
  it('are durations rounded up, so that nobody comes too early', () => {
    const written = [0, 0.4, 45, 58.2, 59.1, 60, 61, 299.997, 300, 3540.5, 3600.1, 86_399, 86_401].map(formatWait);
    assert.deepEqual(written, [
      ...[
        '0 s',
        '1 s',
        '45 s',
        '59 s',
        '1 min',
        '1 min',
        '2 min',
        '5 min',
        '5 min',
        '1 h',
        '1 h 1 min',
        '1 d',
        '1 d 1 h',
      ],
    ]);
  });

  it('are not written where there is none', () => {
    for (const odd of ODD) assert.equal(formatWait(odd), undefined);
  });
});

describe('ages', () => {
  it('name the largest unit alone', () => {
    const minute = 60_000;
    const written = [0, 45_000, minute, 4 * minute, 60 * minute, 23.9 * 60 * minute, 48 * 60 * minute].map(formatAge);
    assert.deepEqual(written, ['0 s', '45 s', '1 min', '4 min', '1 h', '23 h', '2 d']);
    assert.equal(formatAge(800 * 86_400_000), '2 yr');
  });

  it('are not written where there is none', () => {
    for (const odd of [...ODD, ABSURD]) assert.equal(formatAge(odd), undefined);
  });
});

describe('counts, sizes and rates', () => {
  it('separate thousands as the locale does', () => {
    assert.equal(formatCount(2340, 'en'), '2,340');
    assert.equal(formatCount(2340, 'de'), '2.340');
  });

  it('use the unit that keeps the number short', () => {
    const written = [0, 999, 1000, 1_540_000, 999_999, 2_000_000_000].map((bytes) => formatBytes(bytes, 'en'));
    assert.deepEqual(written, ['0 bytes', '999 bytes', '1 kB', '1.5 MB', '1 MB', '2 GB']);
    assert.equal(formatBitrate(2_400_000, 'en'), '2.4 Mbps');
    assert.equal(formatBitrate(2_400_000, 'de'), '2,4 Mbps');
  });

  it('have no digit behind the comma from 100 on, and are written as the locale does', () => {
    const written = [99_940, 99_960, 100_000, 100_400, 99_950_000].map((bytes) => formatBytes(bytes, 'en'));
    assert.deepEqual(written, ['99.9 kB', '100 kB', '100 kB', '100 kB', '100 MB']);
    assert.equal(formatBytes(999_500, 'en'), '1 MB');
    assert.equal(formatBytes(999_499, 'en'), '999 kB');
    assert.equal(formatBytes(1_540_000, 'de'), '1,5 MB');
  });

  it('have the units of the language', () => {
    assert.equal(formatBytes(1, 'en'), '1 byte');
    assert.equal(formatBytes(999, 'fr')?.replaceAll(/\s/g, ' '), '999 octets');
    assert.equal(formatBytes(1_540_000, 'fr')?.replaceAll(/\s/g, ' '), '1,5 Mo');
    assert.equal(formatBytes(1_540_000, 'ja'), '1.5 MB');
    assert.equal(formatBytes(999, 'zh-cn'), '999字节');
  });

  it('survive numbers that are none, and locales that are none', () => {
    for (const odd of ODD) {
      assert.equal(formatCount(odd, 'en'), undefined);
      assert.equal(formatBytes(odd, 'en'), undefined);
      assert.equal(formatBitrate(odd, 'en'), undefined);
    }
    assert.equal(formatCount(ABSURD, 'en'), undefined);
    assert.equal(formatCount(2340, 'no locale!'), '2,340');
    assert.match(formatBytes(Number.MAX_VALUE, 'en') ?? '', / PB$/);
  });
});

describe('A timer', () => {
  it('counts in minutes and seconds, and in hours from one on', () => {
    const shown = [0, 5, 59.9, 60, 135, 600, 3599, 3600, 14_399].map(formatTimer);
    assert.deepEqual(shown, ['0:00', '0:05', '0:59', '1:00', '2:15', '10:00', '59:59', '1:00:00', '3:59:59']);
  });
});
