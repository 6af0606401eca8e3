import assert from 'node:assert/strict';
import { keepPosition } from '../../../src/webview/player/keptPosition.ts';

describe('The position that a page keeps', () => {
  /** A video at 300 s, and what is kept of it. */
  function watch() {
    const video = Object.assign(new EventTarget(), { currentTime: 300, readyState: 4 });
    const kept: number[] = [];
    keepPosition(video, (position) => kept.push(position));
    const fire = (type: string, fields: { readonly currentTime: number; readonly readyState?: number }) => {
      Object.assign(video, fields);
      video.dispatchEvent(new Event(type));
    };
    return { kept, fire };
  }

  it('is where somebody seeks, also the beginning', () => {
    const { kept, fire } = watch();
    fire('seeked', { currentTime: 7 });
    fire('seeked', { currentTime: 0 });
    assert.deepEqual(kept, [7, 0]);
  });

  it('is not the 0 of a video whose source changes', () => {
    const { kept, fire } = watch();
    fire('timeupdate', { currentTime: 0, readyState: 0 });
    fire('seeked', { currentTime: 0, readyState: 0 });
    fire('timeupdate', { currentTime: 0, readyState: 1 });
    fire('timeupdate', { currentTime: 300, readyState: 4 });
    assert.deepEqual(kept, [300]);
  });
});
