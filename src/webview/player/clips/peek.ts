import { drawFrame } from '../elements.ts';
import { playHls } from '../hlsPlayback.ts';
import type { MediaFetcher } from '../mediaClient.ts';
import type { Source } from '../messages.ts';

export interface Peeked {
  readonly source: Source;
  readonly fetcher: MediaFetcher;
  readonly beganAt: () => number | undefined;
  /** The position in a recording, in seconds. A broadcast may have different positions each time that it's loaded. */
  readonly position: number;
  /** Unix time in milliseconds. */
  readonly date: number;
  readonly width: number;
}

const WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 250;
/** How far off a frame may be, in seconds. */
const NEAR_S = 0.3;

/** Returns a frame from another moment of the media, from a video that isn't shown. Undefined if there is none. */
export function peek({ source, fetcher, beganAt, position, date, width }: Peeked, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<HTMLCanvasElement | undefined>();
  const video = document.createElement('video');
  video.muted = true;
  // The lowest quality will do.
  video.width = width;
  video.height = width;
  const end = (picture?: HTMLCanvasElement): void => {
    clearTimeout(timer);
    clearInterval(looking);
    playback.dispose();
    resolve(picture);
  };
  const giveUp = (): void => end();
  const timer = setTimeout(giveUp, WITHIN_MS);
  signal.addEventListener('abort', giveUp, { once: true });
  const ignore = (): void => {};
  const playback = playHls({
    ...{ video, source, fetcher, beganAt, startAt: position, sound: { kind: 'leftOut' } },
    // Not during the playback's own events.
    events: {
      ...{ onFailed: () => queueMicrotask(giveUp), onOver: giveUp },
      ...{ onTrouble: ignore, onQualities: ignore, onNoSound: ignore, onSoundFailed: ignore },
    },
  });
  const wanted = (): number => (source.isLive ? (playback.positionOf(date) ?? video.currentTime) : position);
  const picture = document.createElement('canvas');
  const look = (): void => {
    const isThere = !video.seeking && Math.abs(video.currentTime - wanted()) < NEAR_S;
    if (isThere && drawFrame(video, picture, width) && !isBlank(picture)) end(picture);
  };
  video.addEventListener('loadedmetadata', () => {
    video.currentTime = wanted();
  });
  for (const event of ['loadeddata', 'seeked', 'canplay']) video.addEventListener(event, look);
  // No event reports when a blank frame can be drawn.
  const looking = setInterval(look, LOOK_EVERY_MS);
  return promise;
}

/** On a busy computer, a frame that has arrived may not be ready to be drawn yet. */
function isBlank(picture: HTMLCanvasElement): boolean {
  return picture.getContext('2d')?.getImageData(0, 0, 1, 1).data[3] === 0;
}
