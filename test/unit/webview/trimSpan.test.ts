import assert from 'node:assert/strict';
import { type Span, spanAround } from '../../../src/webview/player/clips/trimSpan.ts';

const HOUR = 3600;
const span = (from: number, to: number): Span => ({ from, to });

describe('What the trim bar shows', () => {
  it('is the clip with what is around it, within what can be played', () => {
    for (const [clip, playable, shown] of [
      [span(600, 630), span(0, 5 * HOUR), span(555, 675)],
      [span(10, 40), span(0, HOUR), span(0, 120)],
      [span(HOUR - 40, HOUR - 10), span(0, HOUR), span(HOUR - 120, HOUR)],
      [span(0, 2 * HOUR), span(0, 5 * HOUR), span(0, 5 * HOUR)],
      [span(4, 9), span(0, 10), span(0, 10)],
      [span(100, 101), span(0, HOUR), span(90.5, 110.5)],
      [span(570, 600), span(300, 600), span(480, 600)],
      [span(10, 40), span(0, 126), span(0, 126)],
    ] as const) {
      assert.deepEqual(spanAround(clip, playable, undefined), shown);
    }
  });

  it('stays while both ends can be moved there, so that a handle stays where it was put', () => {
    const shown = span(555, 675);
    const of = (clip: Span, playable = span(0, HOUR)) => spanAround(clip, playable, shown);
    for (const clip of [span(600, 630), span(565, 660), span(600, 615)]) assert.equal(of(clip), shown);
    assert.deepEqual(of(span(558, 588)), span(513, 633), 'at its beginning');
    assert.deepEqual(of(span(640, 670)), span(595, 715), 'at its end');
    assert.deepEqual(of(span(600, 605)), span(592.5, 612.5), 'too short to be seen well');
    assert.deepEqual(of(span(1000, 1030)), span(955, 1075), 'elsewhere');
    assert.deepEqual(spanAround(span(600, 630), span(0, HOUR), span(0, HOUR)), span(555, 675), 'after all was shown');
  });

  it('is the same at the ends of what can be played, where there is nothing more', () => {
    const shown = span(0, 120);
    assert.equal(spanAround(span(0, 30), span(0, HOUR), shown), shown);
    const whole = span(0, 10);
    assert.equal(spanAround(span(0, 10), whole, whole), whole);
    assert.equal(spanAround(span(4, 5), whole, whole), whole);
  });

  it('moves on with a broadcast, once there is more after the clip or less before it', () => {
    const shown = span(480, 600);
    const clip = span(570, 600);
    assert.equal(spanAround(clip, span(300, 604), shown), shown);
    assert.deepEqual(spanAround(clip, span(300, 610), shown), span(490, 610));
    assert.equal(spanAround(span(560, 580), span(484, 700), shown), shown);
    assert.deepEqual(spanAround(span(560, 580), span(500, 700), shown), span(530, 610));
  });
});
