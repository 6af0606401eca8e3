import assert from 'node:assert/strict';
import {
  clipTimesOf,
  faultOfMarks,
  formatClipLength,
  formatClipTime,
  proposeMarks,
  setMark,
} from '../../../src/webview/player/clips/clipMarks.ts';
import { dateAt, positionOf } from '../../../src/webview/player/mediaDates.ts';

const BEGAN = Date.UTC(2026, 10, 20, 10, 0);

describe('The time of what a player shows', () => {
  const recording = [{ start: 0, programDateTime: BEGAN }];
  /** An interruption of a minute after the second one; the first has no date. */
  const broadcast = [
    { start: 10, programDateTime: null },
    { start: 12, programDateTime: BEGAN },
    { start: 14, programDateTime: BEGAN + 2000 },
    { start: 16, programDateTime: BEGAN + 64_000 },
  ];

  it('is its position after the beginning of a recording', () => {
    assert.equal(dateAt(recording, 62.5), BEGAN + 62_500);
    assert.equal(positionOf(recording, BEGAN + 62_500), 62.5);
  });

  it('is what the playlist of a broadcast says, also where that was interrupted', () => {
    for (const [position, ms] of [
      [12, 0],
      [13.5, 1500],
      [15, 3000],
      [16, 64_000],
      [17.25, 65_250],
    ] as const) {
      assert.equal(dateAt(broadcast, position), BEGAN + ms);
      assert.equal(positionOf(broadcast, BEGAN + ms), position);
    }
  });

  it('goes on evenly beyond the dates that are known', () => {
    for (const [position, ms] of [
      [9, -3000],
      [100, 148_000],
    ] as const) {
      assert.equal(dateAt(broadcast, position), BEGAN + ms);
      assert.equal(positionOf(broadcast, BEGAN + ms), position);
    }
  });

  it('is unknown without a date', () => {
    for (const fragments of [[], [{ start: 0, programDateTime: null }]]) {
      assert.equal(dateAt(fragments, 1), undefined);
      assert.equal(positionOf(fragments, BEGAN), undefined);
    }
  });
});

describe('A clip of the frames that were marked', () => {
  it('has the first and the last one, and nothing of the next', () => {
    const frame = (index: number) => BEGAN + (index * 1000) / 15;
    const times = clipTimesOf({ start: frame(51), end: frame(125) }, 15);
    assert.ok(times);
    const shown = Array.from({ length: 200 }, (_, index) => index).filter(
      (index) => frame(index) >= times.startTime && frame(index) < times.endTime,
    );
    assert.deepEqual([shown[0], shown.at(-1)], [51, 125]);
  });

  it('may be of one frame', () => {
    assert.deepEqual(clipTimesOf({ start: BEGAN, end: BEGAN }, 25), { startTime: BEGAN, endTime: BEGAN + 40 });
  });

  it('is none without both ends, or with the end before the start', () => {
    for (const marks of [{}, { start: BEGAN }, { end: BEGAN }, { start: BEGAN + 1, end: BEGAN }]) {
      assert.equal(clipTimesOf(marks, 30), undefined);
    }
  });
});

describe('An end of a clip that is set', () => {
  const limits = { first: 0, last: 100, goesOn: false };

  it('leaves the other end where it is, as long as the start is not after the end', () => {
    assert.deepEqual(setMark({ start: 10, end: 40 }, 'start', 40, limits), { start: 40, end: 40 });
    assert.deepEqual(setMark({ start: 10, end: 40 }, 'end', 10, limits), { start: 10, end: 10 });
    assert.deepEqual(setMark({ start: 10, end: 40 }, 'end', 90, limits), { start: 10, end: 90 });
    assert.deepEqual(setMark({}, 'start', 5, limits), { start: 5 });
  });

  it('takes the other end along where it is set beyond it, with the length of the clip', () => {
    assert.deepEqual(setMark({ start: 10, end: 40 }, 'start', 50, limits), { start: 50, end: 80 });
    assert.deepEqual(setMark({ start: 50, end: 80 }, 'end', 45, limits), { start: 15, end: 45 });
  });

  it('takes it no further than there is something to show', () => {
    assert.deepEqual(setMark({ start: 10, end: 40 }, 'start', 90, limits), { start: 90, end: 100 });
    assert.deepEqual(setMark({ start: 10, end: 40 }, 'end', 5, limits), { start: 0, end: 5 });
    // A live stream may have moved on from what is shown, or nothing is known of its ends.
    assert.deepEqual(setMark({ start: 10, end: 40 }, 'end', 5, { ...limits, first: 8 }), { start: 5, end: 5 });
    assert.deepEqual(setMark({ start: 10, end: 40 }, 'start', 110, limits), { start: 110, end: 110 });
    const unknown = { first: undefined, last: undefined, goesOn: false };
    assert.deepEqual(setMark({ start: 10, end: 40 }, 'start', 90, unknown), { start: 90, end: 120 });
  });
});

describe('A clip that is cut while the broadcast goes on', () => {
  const limits = { first: 0, last: 100, goesOn: true };

  it('has an open end from when its start is set so late that its length is still to come', () => {
    const marks = setMark({ start: 70, end: 98 }, 'start', 99, limits);
    assert.deepEqual(marks, { start: 99 });
    assert.deepEqual(setMark(marks, 'end', 120, { ...limits, last: 125 }), { start: 99, end: 120 });
  });

  it('takes its end along while there is enough to show', () => {
    assert.deepEqual(setMark({ start: 10, end: 40 }, 'start', 50, limits), { start: 50, end: 80 });
  });
});

describe('What is wrong with a clip', () => {
  it('is that its end is open or before its start, or that it is too short', () => {
    const [at, fps] = [BEGAN, 25];
    assert.equal(faultOfMarks({}, fps), undefined);
    assert.equal(faultOfMarks({ start: at }, fps), 'open');
    assert.equal(faultOfMarks({ start: at, end: at - 40 }, fps), 'reversed');
    assert.equal(faultOfMarks({ start: at, end: at }, fps), 'short');
    assert.equal(faultOfMarks({ start: at, end: at + 900 }, fps), 'short');
    assert.equal(faultOfMarks({ start: at, end: at + 960 }, fps), undefined);
  });
});

describe('The times of a clip that is cut', () => {
  it('differ by its length as they are shown, which is that of the frames that it has', () => {
    for (const [first, last, fps, shown] of [
      [0, 4, 15, ['0:00.00', '0:00.33', '0:00.33']],
      [51, 125, 15, ['0:03.40', '0:08.40', '0:05.00']],
      [100, 100, 30, ['0:03.33', '0:03.36', '0:00.03']],
      [1, 107_891, 29.97, ['0:00.03', '1:00:00.00', '59:59.97']],
    ] as const) {
      const [start, end] = [first / fps, (last + 1) / fps];
      const times = [formatClipTime(start), formatClipTime(end), formatClipLength(start, end)];
      assert.deepEqual(times, shown);
    }
  });
});

describe('The times of a clip of a long recording', () => {
  it('have hours, as its other positions do', () => {
    assert.deepEqual(
      [40.47, 3725.5].map((seconds) => formatClipTime(seconds, 3720)),
      ['0:00:40.47', '1:02:05.50'],
    );
    assert.equal(formatClipTime(40.47, 3599), '0:40.47');
    assert.equal(formatClipTime(725, 3600), '0:12:05.00');
  });
});

describe('The clip that is proposed', () => {
  const dateAt = (position: number) => 1_700_000_000_000 + position * 1000;
  const framesPerSecond = 4;

  it('is the 30 seconds of a broadcast before what is shown, or begins where one can begin', () => {
    for (const [position, begin, start] of [
      [100, 0, 70.25],
      [12, 0, 0],
      [100, 90, 90],
    ] as const) {
      const marks = proposeMarks(position, { begin, end: 200, goesOn: true, framesPerSecond }, dateAt);
      assert.deepEqual(marks, { start: dateAt(start), end: dateAt(position) });
    }
  });

  it('is the next 30 seconds where a broadcast begins, or where it has moved on from what is shown', () => {
    for (const [position, begin, end, last] of [
      [90.5, 90, 200, 120.25],
      [10, 90, 200, 39.75],
      [0, 0, 12, 12],
    ] as const) {
      const marks = proposeMarks(position, { begin, end, goesOn: true, framesPerSecond }, dateAt);
      assert.deepEqual(marks, { start: dateAt(position), end: dateAt(last) });
    }
  });

  it('is the next 30 seconds of a recording, as far as there are any, or the last ones at its end', () => {
    for (const [position, end, start, last] of [
      [0, 200, 0, 29.75],
      [100, 200, 100, 129.75],
      [190, 200, 190, 200],
      [199.5, 200, 169.75, 199.5],
      [11.9, 12, 0, 11.9],
      // Nothing is known of the end.
      [0, 0, 0, 0],
    ] as const) {
      const marks = proposeMarks(position, { begin: 0, end, goesOn: false, framesPerSecond }, dateAt);
      assert.deepEqual(marks, { start: dateAt(start), end: dateAt(last) });
    }
  });

  it('lasts 30 seconds with its last frame', () => {
    for (const [framesPerSecond, goesOn] of [
      [30, true],
      [25, false],
      [59.94, true],
    ] as const) {
      const marks = proposeMarks(100.4, { begin: 0, end: 200, goesOn, framesPerSecond }, dateAt) ?? {};
      const { startTime, endTime } = clipTimesOf(marks, framesPerSecond) ?? assert.fail();
      assert.equal(endTime - startTime, 30_000);
    }
  });

  it('is none if it is not known when that was', () => {
    assert.equal(
      proposeMarks(100, { begin: 0, end: 200, goesOn: true, framesPerSecond }, () => undefined),
      undefined,
    );
  });
});
