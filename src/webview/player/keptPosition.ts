const KEEP_EVERY_MS = 1000;

/** The part of a video element that is used. */
interface PlayedVideo {
  readonly currentTime: number;
  /** 0 if nothing is known about its source yet. */
  readonly readyState: number;
  addEventListener(type: 'timeupdate' | 'seeked', listener: () => void): void;
}

/** Reports where a video is from time to time, and after each seek. In seconds. */
export function keepPosition(video: PlayedVideo, keep: (position: number) => void): void {
  let keptAt = Number.NEGATIVE_INFINITY;
  const note = (): void => {
    keptAt = performance.now();
    keep(video.currentTime);
  };
  video.addEventListener('timeupdate', () => {
    // The video reports 0 while its source changes.
    if (video.currentTime > 0 && performance.now() - keptAt >= KEEP_EVERY_MS) note();
  });
  video.addEventListener('seeked', () => {
    if (video.readyState > 0) note();
  });
}
