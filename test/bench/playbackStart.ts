/** For a page's frames, before anything else runs in them (`page.addInitScript(watchStartInPage)`). */
interface Analyser {
  readonly fftSize: number;
  getFloatTimeDomainData(into: Float32Array): void;
}

interface Stream extends EventTarget {
  getTracks(): readonly { stop(): void }[];
  getAudioTracks(): readonly unknown[];
}

declare const self: { readonly top: unknown; playbackStart?: { frame?: number; sound?: number } };
declare const document: {
  querySelector(selector: 'video'): {
    captureStream(): Stream;
    requestVideoFrameCallback(onFrame: () => void): void;
  } | null;
};
declare const MediaStream: new (tracks: readonly unknown[]) => unknown;
declare const AudioContext: new () => {
  createAnalyser(): Analyser;
  createMediaStreamSource(stream: unknown): { connect(node: Analyser): void };
  close(): void;
};

/** Notes when the frame's video shows its first picture and when it is first heard, and then leaves it alone. */
export function watchStartInPage(): void {
  if (self === self.top) return;
  const start: { frame?: number; sound?: number } = {};
  self.playbackStart = start;
  const waiting = setInterval(() => {
    const video = document.querySelector('video');
    if (video === null) return;
    clearInterval(waiting);
    video.requestVideoFrameCallback(() => {
      start.frame = performance.now();
    });
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    const stream = video.captureStream();
    const connect = (): void => {
      const track = stream.getAudioTracks().at(-1);
      if (track !== undefined) context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    };
    connect();
    stream.addEventListener('addtrack', connect);
    const samples = new Float32Array(analyser.fftSize);
    const listening = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      if (start.sound === undefined && samples.some((sample) => Math.abs(sample) > 0.005)) {
        start.sound = performance.now();
      }
      if (start.sound === undefined || start.frame === undefined) return;
      clearInterval(listening);
      for (const track of stream.getTracks()) track.stop();
      context.close();
    }, 5);
  }, 5);
}

/** In milliseconds since the player's page was loaded. */
export interface PlaybackStart {
  readonly frame: number;
  readonly sound: number;
}

/** Returns undefined until both have come. */
export function readStartInPage(): PlaybackStart | undefined {
  const { frame, sound } = self.playbackStart ?? {};
  return frame === undefined || sound === undefined ? undefined : { frame, sound };
}
