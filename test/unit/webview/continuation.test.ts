import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Continuation } from '../../../src/webview/player/continuation.ts';

const FAILURE = { isReset: false, segment: undefined } as const;
const FRAGMENTS = [0, 2, 4, 6, 8].map((start) => ({ start, end: start + 2 }));

function createPlaying({ position = 3.7, bufferedTo = 3.8, isPaused = false } = {}) {
  const done: string[] = [];
  const state = { currentTime: 0, readyState: 4, paused: isPaused, error: null as { readonly code: number } | null };
  const buffered = { length: 1, start: () => 0, end: () => bufferedTo };
  const play = async () => void done.push('play');
  const video = Object.assign(new EventTarget(), state, { buffered, play });
  const hls = {
    config: { startPosition: -1 },
    latestLevelDetails: { fragments: FRAGMENTS },
    recoverMediaError() {
      done.push('replace');
      Object.assign(video, { currentTime: 0, readyState: 0, paused: true });
      for (const type of ['timeupdate', 'seeking']) video.dispatchEvent(new Event(type));
    },
    startLoad: (from: number) => done.push(`load from ${from}`),
  };
  const continuation = new Continuation(hls, video, { onError: () => done.push('error') });
  const seek = (to: number) => {
    video.currentTime = to;
    video.dispatchEvent(new Event('timeupdate'));
  };
  seek(position);
  return { done, video, continuation, seek, take: () => done.splice(0).join(', ') };
}

describe('Continuing with another media source', () => {
  it('plays on from where it was', () => {
    const { continuation, take } = createPlaying();
    continuation.continue(FAILURE);
    assert.equal(take(), 'replace, load from 3.7, play');
  });

  it('leaves a paused video paused, and does not replace a source that hls.js has replaced', () => {
    const { continuation, take } = createPlaying({ isPaused: true });
    continuation.continue({ ...FAILURE, isReset: true });
    assert.equal(take(), 'load from 3.7');
  });

  it('begins where it would have begun if nothing was played', () => {
    const { continuation, take } = createPlaying({ position: 0 });
    continuation.continue(FAILURE);
    assert.equal(take(), 'replace, load from -1, play');
  });

  it('stays at the beginning if the user has gone there', () => {
    const { video, continuation, take } = createPlaying();
    video.currentTime = 0;
    video.dispatchEvent(new Event('seeking'));
    continuation.continue(FAILURE);
    assert.equal(take(), 'replace, load from 0, play');
  });

  it('plays on from where it was after each replacement', () => {
    const { continuation, take } = createPlaying();
    for (let turn = 0; turn < 2; turn++) continuation.continue(FAILURE);
    assert.equal(take(), 'replace, load from 3.7, play, replace, load from 3.7, play');
  });

  it('skips what could not be decoded, and plays on though the error has paused the video', () => {
    const { video, continuation, take } = createPlaying();
    video.error = { code: 3 };
    video.paused = true;
    video.dispatchEvent(new Event('error'));
    video.dispatchEvent(new Event('pause'));
    assert.equal(take(), 'error');
    continuation.continue(FAILURE);
    assert.equal(take(), 'replace, load from 6, play');
  });

  it('ignores an error of a media source that was replaced', () => {
    const { video, take } = createPlaying();
    video.dispatchEvent(new Event('error'));
    assert.equal(take(), '');
  });

  it('begins with what could not be appended, and skips the segment if that fails a second time', () => {
    const { continuation, seek, take } = createPlaying();
    const failure = { isReset: false, segment: { start: 4, end: 6 } };
    continuation.continue(failure);
    assert.equal(take(), 'replace, load from 4, play');
    seek(4);
    continuation.continue(failure);
    assert.equal(take(), 'replace, load from 6, play');
  });

  it('stays where the user has gone meanwhile', () => {
    const { continuation, seek, take } = createPlaying();
    seek(100);
    continuation.continue({ isReset: false, segment: { start: 4, end: 6 } });
    assert.equal(take(), 'replace, load from 100, play');
  });

  it('plays what is buffered first, unless it is disposed of', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { continuation, seek, done } = createPlaying({ position: 1, bufferedTo: 4 });
    continuation.continue({ isReset: false, segment: { start: 4, end: 6 } });
    assert.deepEqual(done, []);
    seek(3.9);
    mock.timers.tick(500);
    assert.deepEqual(done.splice(0), ['replace', 'load from 4', 'play']);
    seek(1);
    continuation.continue({ isReset: false, segment: { start: 4, end: 6 } });
    continuation.dispose();
    seek(3.9);
    mock.timers.tick(5000);
    assert.deepEqual(done, []);
    mock.timers.reset();
  });
});
