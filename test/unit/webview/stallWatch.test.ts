import assert from 'node:assert/strict';
import { Events } from 'hls.js';
import { watchStalls } from '../../../src/webview/player/stallWatch.ts';
import { heldClock } from '../../support/model/heldClock.ts';

function createWatch() {
  const clock = heldClock();
  const stalls: number[] = [];
  const listeners = new Map<string, (event: string, data: object) => void>();
  const buffered = { length: 1, start: () => 0, end: () => 6.1 };
  const video = { currentTime: 6, paused: false, ended: false, readyState: 2, buffered };
  const fragments = [0, 2, 4, 6, 8].map((start) => ({ start: start + 0.1, end: start + 2.1 }));
  const hls = {
    latestLevelDetails: { fragments },
    on: (event: string, listener: (event: string, data: object) => void) => void listeners.set(event, listener),
  };
  const watch = watchStalls({ hls, video, clock, onStalled: ({ start }) => stalls.push(start) });
  const load = (event: Events, type = 'main') => listeners.get(event)?.(event, { frag: { type } });
  return { clock, stalls, video, fragments, watch, load };
}

describe('Playback that waits for a segment that is not loaded', () => {
  it('is reported after ten seconds, with that segment, and again after ten more', async () => {
    const { clock, stalls } = createWatch();
    await clock.advance(9_999);
    assert.deepEqual(stalls, []);
    await clock.advance(1);
    assert.deepEqual(stalls, [6.1]);
    await clock.advance(10_000);
    assert.deepEqual(stalls, [6.1, 6.1]);
  });

  it('is not stalled while a segment or its key is loaded, however slowly', async () => {
    for (const [start, end] of [
      [Events.FRAG_LOADING, Events.FRAG_LOADED],
      [Events.KEY_LOADING, Events.ERROR],
    ] as const) {
      const { clock, stalls, load } = createWatch();
      load(start);
      load(Events.FRAG_LOADING, 'audio');
      load(end);
      await clock.advance(59_000);
      assert.deepEqual(stalls, [], 'the sound is still loaded');
      load(Events.FRAG_LOADED, 'audio');
      await clock.advance(9_000);
      assert.deepEqual(stalls, []);
      await clock.advance(1_000);
      assert.deepEqual(stalls, [6.1]);
    }
  });

  it('is not stalled where there is nothing more to load', async () => {
    const { clock, stalls, fragments } = createWatch();
    fragments.splice(3);
    await clock.advance(60_000);
    assert.deepEqual(stalls, []);
  });

  it('is not stalled while it plays, is paused or is over', async () => {
    for (const state of [{ readyState: 3 }, { paused: true }, { ended: true }]) {
      const { clock, stalls, video } = createWatch();
      Object.assign(video, state);
      await clock.advance(60_000);
      assert.deepEqual(stalls, [], JSON.stringify(state));
    }
  });

  it('is not watched for once the player shows something else', async () => {
    const { clock, stalls, watch } = createWatch();
    watch.dispose();
    await clock.advance(60_000);
    assert.deepEqual([stalls, clock.timerCount], [[], 0]);
  });
});
