/** What is used of a video element and of a choice. */
interface Played {
  playbackRate: number;
  defaultPlaybackRate: number;
  addEventListener(type: 'ratechange', listener: () => void): void;
}
interface Choice {
  value: string;
  addEventListener(type: 'change', listener: () => void): void;
}

/** The chosen speed is the one that is played: of every source that follows too, and whoever else changed it. */
export function followSpeed(video: Played, choice: Choice): void {
  choice.addEventListener('change', () => {
    const speed = Number(choice.value);
    // Each source begins with the default.
    video.defaultPlaybackRate = speed;
    video.playbackRate = speed;
  });
  video.addEventListener('ratechange', () => {
    video.defaultPlaybackRate = video.playbackRate;
    choice.value = String(video.playbackRate);
  });
}
