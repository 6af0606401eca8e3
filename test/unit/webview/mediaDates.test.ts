import assert from 'node:assert/strict';
import { dateAt, liveDates, placeAt, positionOfPlace } from '../../../src/webview/player/mediaDates.ts';

/** Segments of four seconds, the first of which is at `start`. */
function fragmentsFrom(first: number, { start = 0, began }: { readonly start?: number; readonly began?: number } = {}) {
  return [0, 1, 2].map((at) => ({
    start: start + at * 4,
    sn: first + at,
    programDateTime: began === undefined ? null : began + (first + at) * 4000,
  }));
}

describe('The dates in a broadcast', () => {
  const beganAt = 1_700_000_000_000;
  const edge = { start: 112, programDateTime: beganAt + 60_000 };
  const dateIn = (fragments: ReturnType<typeof fragmentsFrom>, known: Partial<Parameters<typeof liveDates>[1]>) =>
    dateAt(liveDates(fragments, { beganAt: undefined, edge: undefined, ...known }), 101);

  it('are those of the playlist, if it has any', () => {
    assert.equal(dateIn(fragmentsFrom(0, { start: 100, began: 5000 }), { beganAt, edge }), 6000);
  });

  it('count from the beginning of the broadcast, if the playlist has none but the first segment', () => {
    assert.equal(dateIn(fragmentsFrom(0, { start: 100 }), { beganAt, edge }), beganAt + 1000);
  });

  it('count from its end as it was first read, if the beginning is gone or unknown', () => {
    assert.equal(dateIn(fragmentsFrom(3, { start: 100 }), { beganAt, edge }), beganAt + 49_000);
    assert.equal(dateIn(fragmentsFrom(0, { start: 100 }), { edge }), beganAt + 49_000);
    assert.equal(dateIn(fragmentsFrom(0, { start: 100 }), {}), undefined, 'before it was read');
  });
});

describe('The place in a broadcast', () => {
  for (const began of [undefined, 1_700_000_000_000]) {
    const dates = began === undefined ? {} : { began };
    it(`is the same moment in a playlist that is loaded later, ${began === undefined ? 'without dates' : 'with dates'}`, () => {
      const place = placeAt(fragmentsFrom(10, dates), 9) ?? assert.fail();
      assert.equal(positionOfPlace(fragmentsFrom(11, { start: 100, ...dates }), place), 105);
      assert.equal(positionOfPlace(fragmentsFrom(12, dates), place), 1);
      assert.equal(
        positionOfPlace(fragmentsFrom(50, { start: 100, ...dates }), place),
        100,
        'the earliest that is there',
      );
    });
  }

  it('follows the dates if the numbers begin again', () => {
    const place = placeAt(fragmentsFrom(10, { began: 0 }), 9) ?? assert.fail();
    assert.equal(positionOfPlace(fragmentsFrom(0, { began: 44_000 }), place), 5);
  });

  it('is not known if the numbers begin again without dates, or nothing was loaded', () => {
    const place = placeAt(fragmentsFrom(10), 9) ?? assert.fail();
    assert.equal(positionOfPlace(fragmentsFrom(0), place), undefined);
    assert.equal(positionOfPlace([], place), undefined);
    assert.equal(placeAt([], 9), undefined);
  });
});
