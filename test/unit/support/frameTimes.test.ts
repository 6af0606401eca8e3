import assert from 'node:assert/strict';
import { spreadOfDelays, type TimedFrame } from '../../support/service/frameTimes.ts';

const PASS_MS = 1000;

function track(kind: TimedFrame['kind'], step: number): readonly TimedFrame[] {
  return Array.from({ length: PASS_MS / step }, (_, index) => ({ kind, time: index * step, hash: `${index}` }));
}

describe('The delays of frames', () => {
  const source = [...track('video', 50), ...track('audio', 20)];
  const inPass = (pass: number, change: (frame: TimedFrame) => number = () => 0) =>
    source.map((frame) => ({ ...frame, time: 300 + pass * PASS_MS + frame.time + change(frame) }));

  it('are the same in each pass of a loop', () => {
    assert.equal(spreadOfDelays([...inPass(0), ...inPass(1), ...inPass(2)], source, PASS_MS), 0);
  });

  it('tell audio that is late, in one pass or for one frame', () => {
    const lateAudio = inPass(1, ({ kind }) => (kind === 'audio' ? 60 : 0));
    const oneLate = inPass(1, ({ kind, time }) => (kind === 'video' && time === 500 ? -60 : 0));
    for (const pass of [lateAudio, oneLate]) assert.equal(spreadOfDelays([...inPass(0), ...pass], source, PASS_MS), 60);
  });

  it('need frames that are recognized', () => {
    const other = inPass(0).map((frame) => (frame.kind === 'audio' ? { ...frame, hash: 'other' } : frame));
    assert.throws(() => spreadOfDelays(other, source, PASS_MS), /Of 50 frames of audio, 0 were recognized/);
    const silence = source.map((frame) => (frame.kind === 'audio' ? { ...frame, hash: 'silence' } : frame));
    assert.throws(() => spreadOfDelays(silence, silence, PASS_MS), /0 were recognized/);
  });
});
