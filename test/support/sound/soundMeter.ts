/**
 * Measures what a page plays of makeBeepStream: when it flashes, when it beeps, and at which frequency it sounds. The
 * functions whose names end in InPage run in the page (`frame.evaluate(startMeterInPage)`), and so use nothing of this
 * file. The browser needs `--autoplay-policy=no-user-gesture-required`.
 */
interface Analyser {
  fftSize: number;
  smoothingTimeConstant: number;
  readonly frequencyBinCount: number;
  getFloatTimeDomainData(into: Float32Array): void;
  getFloatFrequencyData(into: Float32Array): void;
}

interface Video {
  readonly currentTime: number;
  readonly ended: boolean;
  readonly playbackRate: number;
  captureStream(): Stream;
  requestVideoFrameCallback(onFrame: (now: number, frame: { readonly mediaTime: number }) => void): void;
}

interface Stream extends EventTarget {
  getAudioTracks(): readonly unknown[];
}

interface Meter {
  readonly beeps: Moment[];
  readonly flashes: Moment[];
  readonly analyser: Analyser;
  readonly sampleRate: number;
  readonly video: Video;
}

/** The beginning of a flash or a beep. */
export interface Moment {
  /** The position in the media, in seconds. */
  readonly media: number;
  /** When it was seen or heard, in milliseconds of the page's clock. */
  readonly at: number;
}

declare const self: { soundMeter?: Meter };
declare const document: {
  querySelector(selector: 'video'): Video | null;
  createElement(name: 'canvas'): {
    width: number;
    height: number;
    getContext(
      kind: '2d',
      options: object,
    ): {
      drawImage(video: Video, x: number, y: number, width: number, height: number): void;
      getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8Array };
    };
  };
};
declare const MediaStream: new (tracks: readonly unknown[]) => unknown;
declare const AudioContext: new () => {
  readonly currentTime: number;
  readonly sampleRate: number;
  createAnalyser(): Analyser;
  createMediaStreamSource(stream: unknown): { connect(node: Analyser): void };
};

/** Starts to measure the page's video, or forgets what was measured so far. */
export function startMeterInPage(): void {
  if (self.soundMeter !== undefined) {
    self.soundMeter.beeps.length = 0;
    self.soundMeter.flashes.length = 0;
    return;
  }
  const video = document.querySelector('video');
  if (video === null) throw new Error('The page has no video');
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 4096;
  analyser.smoothingTimeConstant = 0;
  const stream = video.captureStream();
  const connect = (): void => {
    const track = stream.getAudioTracks().at(-1);
    if (track !== undefined) context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  };
  connect();
  stream.addEventListener('addtrack', connect);
  const meter: Meter = { beeps: [], flashes: [], analyser, sampleRate: context.sampleRate, video };
  self.soundMeter = meter;

  const samples = new Float32Array(analyser.fftSize);
  let lastLoud = Number.NEGATIVE_INFINITY;
  setInterval(() => {
    const [now, media, clock] = [context.currentTime, video.currentTime, performance.now()];
    analyser.getFloatTimeDomainData(samples);
    for (const [index, sample] of samples.entries()) {
      if (Math.abs(sample) < 0.25) continue;
      const ago = (samples.length - index) / context.sampleRate;
      if (now - ago - lastLoud > 0.3) {
        meter.beeps.push({ media: media - ago * video.playbackRate, at: clock - ago * 1000 });
      }
      lastLoud = Math.max(lastLoud, now - ago);
    }
  }, 15);

  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [16, 9];
  const pixels = canvas.getContext('2d', { willReadFrequently: true });
  let wasLit = false;
  const look = (now: number, frame: { readonly mediaTime: number }): void => {
    pixels.drawImage(video, 0, 0, 16, 9);
    const isLit = (pixels.getImageData(8, 4, 1, 1).data[0] ?? 0) > 128;
    if (isLit && !wasLit) meter.flashes.push({ media: frame.mediaTime, at: now });
    wasLit = isLit;
    video.requestVideoFrameCallback(look);
  };
  video.requestVideoFrameCallback(look);
}

export interface MeterReading {
  readonly beeps: readonly Moment[];
  readonly flashes: readonly Moment[];
  /** The loudest frequency at this moment; undefined in silence. */
  readonly hertz: number | undefined;
  /** The position in the media at this moment, in seconds. */
  readonly time: number;
  readonly hasEnded: boolean;
}

export function readMeterInPage(): MeterReading {
  const meter = self.soundMeter;
  if (meter === undefined) throw new Error('The meter was not started');
  const { beeps, flashes, analyser, sampleRate, video } = meter;
  const decibels = new Float32Array(analyser.frequencyBinCount);
  analyser.getFloatFrequencyData(decibels);
  const loudest = decibels.indexOf(Math.max(...decibels));
  const [before = 0, top = 0, after = 0] = [-1, 0, 1].map((step) => decibels[loudest + step]);
  // Between the bins: the vertex of the parabola through the three loudest.
  const bin = loudest + (before - after) / (2 * (before - 2 * top + after));
  const hertz = top > -70 ? (bin * sampleRate) / analyser.fftSize : undefined;
  return { beeps, flashes, hertz, time: video.currentTime, hasEnded: video.ended };
}

/** Returns by how many milliseconds each beep came after the flash next to it; those without one are left out. */
export function readGaps({ beeps, flashes }: Pick<MeterReading, 'beeps' | 'flashes'>): readonly number[] {
  return beeps.flatMap((beep) => {
    const gaps = flashes.map((flash) => beep.at - flash.at).sort((one, other) => Math.abs(one) - Math.abs(other));
    return gaps.slice(0, 1).filter((gap) => Math.abs(gap) < 300);
  });
}
