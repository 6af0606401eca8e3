interface Played {
  playbackRate: number;
  defaultPlaybackRate: number;
  addEventListener(type: 'ratechange', listener: () => void): void;
}
interface Choice {
  value: string;
  addEventListener(type: 'change', listener: () => void): void;
}

/**
 * Keeps video and selection in sync: the speed also applies to the sources that follow, and the selection shows changes
 * made by the video's own controls.
 */
export function followSpeed(video: Played, choice: Choice): void {
  choice.addEventListener('change', () => {
    const speed = Number(choice.value);
    // Each source starts with the default.
    video.defaultPlaybackRate = speed;
    video.playbackRate = speed;
  });
  video.addEventListener('ratechange', () => {
    video.defaultPlaybackRate = video.playbackRate;
    choice.value = String(video.playbackRate);
  });
}
