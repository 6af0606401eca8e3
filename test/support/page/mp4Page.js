// The script of a page that plays an MP4 file and nothing else. It is JavaScript since tests have no types of a page.
import { playHls } from '../../../src/webview/player/hlsPlayback.ts';
import { createMp4Fetcher } from '../../../src/webview/player/mp4/mp4Fetcher.ts';

Object.assign(globalThis, { openMp4Page });

function openMp4Page({ script, base64, startAt, sound, failure }) {
  const video = document.querySelector('video');
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const page = {
    video,
    problems: [],
    ranges: [],
    mostReads: 0,
    reads: 0,
    leftOut: new Set(),
    dispose,
  };
  const client = {
    fetch({ range: { start, end } }, { onLoaded, onFailed }) {
      page.ranges.push([start, end]);
      page.reads += 1;
      page.mostReads = Math.max(page.mostReads, page.reads);
      const timer = setTimeout(() => {
        page.reads -= 1;
        if (failure !== undefined) return onFailed(failure);
        onLoaded({ body: bytes.slice(start, end).buffer, size: bytes.length, firstByteMs: 1, totalMs: 2 });
      }, 5);
      return () => {
        clearTimeout(timer);
        page.reads -= 1;
      };
    },
  };
  const onLeftOut = (codec) => page.leftOut.add(codec);
  const fetcher = createMp4Fetcher(client, { script, onLeftOut });
  const source = { kind: 'mp4', isLive: false, startsItself: true };
  const events = {
    onFailed: ({ kind }) => page.problems.push(`failed: ${kind}`),
    onTrouble: (problem) => problem && page.problems.push(`trouble: ${problem.kind}`),
    onQualities: () => undefined,
    onOver: () => undefined,
    onNoSound: () => page.problems.push('no sound'),
  };
  const playback = playHls({ video, source, fetcher, beganAt: () => undefined, startAt, events, sound });
  function dispose() {
    playback.dispose();
    fetcher.dispose();
  }
  Object.assign(globalThis, { mp4Page: page });
}
