import type { MetProblem } from './messages.ts';
import { canDecodeAac, type Playback, type PlaybackEvents } from './playback.ts';

export interface FileOptions {
  readonly video: HTMLVideoElement;
  readonly url: string;
  readonly startAt: number;
  readonly events: PlaybackEvents;
}

/** Plays a file by its address: an MP4, or a playlist where the browser itself knows HLS. */
export function playFile({ video, url, startAt, events }: FileOptions): Playback {
  let isShared = true;
  const begin = (): void => {
    // With CORS the picture can be copied; a server that does not offer it is asked without.
    if (isShared) video.crossOrigin = 'anonymous';
    else video.removeAttribute('crossorigin');
    video.src = url;
  };
  const onError = (): void => {
    if (isShared && video.error?.code !== MediaError.MEDIA_ERR_DECODE) {
      isShared = false;
      begin();
    } else events.onFailed(problemOf(video.error, url));
  };
  const onMetadata = (): void => {
    if (startAt > 0 && startAt < video.duration - 1) video.currentTime = startAt;
    if (!canDecodeAac()) events.onNoSound();
  };
  video.addEventListener('error', onError);
  video.addEventListener('loadedmetadata', onMetadata, { once: true });
  begin();
  return {
    qualities: () => [],
    quality: () => undefined,
    setQuality: () => {},
    behindLive: () => undefined,
    goLive: () => {},
    dispose() {
      video.removeEventListener('error', onError);
      video.removeEventListener('loadedmetadata', onMetadata);
      video.removeAttribute('src');
      video.load();
    },
  };
}

function problemOf(error: MediaError | null, url: string): MetProblem {
  const host = URL.parse(url)?.host ?? '';
  return error?.code === MediaError.MEDIA_ERR_NETWORK ? { kind: 'network', host } : { kind: 'brokenFile' };
}
