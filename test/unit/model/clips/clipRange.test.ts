import assert from 'node:assert/strict';
import { clipTimes, formatClipRange, parseClipRange } from '../../../../src/model/clips/clipRange.ts';
import { parseTimer } from '../../../../src/util/positions.ts';
import { readLanguages, readTranslation } from '../../../support/rules/texts.ts';

const BEGAN = Date.UTC(2026, 10, 20, 10, 0);
const source = { beganAt: BEGAN, endsAt: BEGAN + 90_000 };

describe('What a clip shows', () => {
  it('is the end of what it is cut from', () => {
    const times = { startTime: BEGAN + 60_000, endTime: BEGAN + 90_000 };
    assert.deepEqual(clipTimes({ seconds: 30 }, source), times);
    assert.deepEqual(clipTimes({ seconds: 30 }, { ...source, beganAt: undefined }), times);
    assert.deepEqual(clipTimes({ seconds: 90 }, source), { ...times, startTime: BEGAN });
  });

  it('is what lies between two times from the beginning, to the millisecond', () => {
    const times = { startTime: BEGAN + 3_333, endTime: BEGAN + 90_000 };
    assert.deepEqual(clipTimes({ from: 3.3333, to: 90 }, source), times);
  });

  it('is what lies between two moments, as far as the source goes', () => {
    const startTime = BEGAN + 5_000;
    const endTime = BEGAN + 7_250;
    assert.deepEqual(clipTimes({ startTime, endTime }, source), { startTime, endTime });
    const whole = { startTime: BEGAN, endTime: BEGAN + 90_000 };
    assert.deepEqual(clipTimes({ startTime: BEGAN - 40, endTime: BEGAN + 90_040 }, source), whole);
    const unknown = { beganAt: undefined, endsAt: undefined };
    assert.deepEqual(clipTimes({ startTime: startTime + 0.4, endTime }, unknown), { startTime, endTime });
  });

  it('is nothing if it would be longer, end first, or have no times', () => {
    for (const [range, fault] of [
      [{ seconds: 91 }, 'tooLong'],
      [{ seconds: 0 }, 'reversed'],
      [{ seconds: 0.0004 }, 'reversed'],
      [{ seconds: -1 }, 'noTime'],
      [{ seconds: Number.NaN }, 'noTime'],
      [{ from: 10, to: 10 }, 'reversed'],
      [{ from: 20, to: 10 }, 'reversed'],
      [{ from: 10, to: 10.0001 }, 'reversed'],
      [{ from: 80, to: 91 }, 'tooLong'],
      [{ from: -5, to: 10 }, 'noTime'],
      [{ from: 0, to: Number.POSITIVE_INFINITY }, 'noTime'],
      [{ startTime: BEGAN + 2000, endTime: BEGAN + 1000 }, 'reversed'],
      [{ startTime: BEGAN + 90_001, endTime: BEGAN + 95_000 }, 'reversed'],
      [{ startTime: BEGAN, endTime: Number.NaN }, 'noTime'],
    ] as const) {
      assert.equal(clipTimes(range, source), fault, JSON.stringify(range));
    }
    assert.equal(clipTimes({ from: 1, to: 2 }, { ...source, beganAt: undefined }), 'unknownTimes');
    assert.equal(clipTimes({ seconds: 1 }, { ...source, endsAt: undefined }), 'unknownTimes');
  });
});

describe('A time that is typed', () => {
  it('is seconds, minutes and seconds, or hours, minutes and seconds', () => {
    for (const [text, seconds] of [
      ['0', 0],
      ['90', 90],
      [' 1:30 ', 90],
      ['01:05', 65],
      ['1:02:03', 3723],
      ['75:00', 4500],
      ['1440:00.5', 86_400.5],
      ['1:30.5', 90.5],
      ['2,25', 2.25],
      ['100:00:00', 360_000],
    ] as const) {
      assert.equal(parseTimer(text), seconds, text);
    }
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      'x',
      '-1',
      '1:60',
      '1:60:00',
      '1:075:00',
      '1:2:3:4',
      '1.',
      ':30',
      '1e3',
      '0x10',
      '1:30 pm',
      'NaN',
    ]) {
      assert.equal(parseTimer(text), undefined, text);
    }
  });
});

describe('A range that is typed', () => {
  for (const text of ['0:10 - 0:25', '0:10-0:25', ' 10–25 ', '0:10 25', '0:10.0—0:25,0', '0:10 to 25', '0:10～0:25']) {
    it(`is read: ${text}`, () => assert.deepEqual(parseClipRange(text), { from: 10, to: 25 }));
  }

  it('is read if it ends before it starts, so that somebody can be told', () => {
    assert.deepEqual(parseClipRange('0:25-0:10'), { from: 25, to: 10 });
  });

  for (const [text, seconds] of [
    ['last 45 s', 45],
    ['Last 45', 45],
    ['last 1:30', 90],
    ['last 2 min', 120],
    ['letzte 45 Sekunden', 45],
    ['dernières 5 minutes', 300],
    ['últimos 45 segundos', 45],
    ['直近 45 秒', 45],
    ['最近 5 分钟', 300],
  ] as const) {
    it(`is the end: ${text}`, () => assert.deepEqual(parseClipRange(text), { seconds }));
  }

  it('is read as the box shows it, in each language', () => {
    const box = 'Select a part of "{0}", or enter a range such as "0:10-0:25" or "last 45 s"';
    for (const language of readLanguages()) {
      const translated = readTranslation(language).code[box] ?? '';
      const [, example = ''] = /["„「«“]\s*([^"„“”「」«»]+ 45 (?:s|秒))/u.exec(translated) ?? [];
      assert.deepEqual(parseClipRange(example), { seconds: 45 }, translated);
    }
  });

  for (const text of [
    '',
    '0:10',
    '0:10-',
    '-0:25',
    '0:10-0:25-0:30',
    '10 to',
    'a-b',
    'Last Minute',
    'last 5 x',
    'last',
  ]) {
    it(`is none: ${text}`, () => assert.equal(parseClipRange(text), undefined));
  }
});

describe('A range as it is shown', () => {
  it('is rounded to the nearest second, and never before the beginning', () => {
    assert.equal(formatClipRange(119.983, 149.966), '2:00–2:30');
    assert.equal(formatClipRange(61.4, 3690.2), '1:01–1:01:30');
    assert.equal(formatClipRange(-0.2, 30), '0:00–0:30');
  });
});
