import type { MediaPart } from '../../media/flvPayload.ts';
import {
  type AudioFormat,
  DELTA_SAMPLE,
  ENTRY_BYTES,
  fragmentHead,
  KEY_SAMPLE,
  type Run,
  type TrackFormat,
  type VideoFormat,
} from '../../media/mp4.ts';
import { ProtocolError } from '../../media/protocolError.ts';

export interface Segment {
  /** Counts from 0. */
  readonly number: number;
  /** In seconds since the broadcast began. */
  readonly start: number;
  readonly duration: number;
  readonly formats: readonly TrackFormat[];
  readonly runs: readonly Run[];
  /** The head before the samples in an HLS segment. */
  readonly head: Uint8Array;
  /** The samples of all runs. */
  readonly samples: Buffer;
}

interface Sample {
  readonly time: number;
  readonly data: Buffer;
  readonly flags: number;
  readonly compositionOffset: number;
}

const SHORTEST_MS = 1000;
/** Segments end at a key frame. If none arrives within this time, they end without one. */
export const LONGEST_MS = 4000;
const MOST_BYTES = 8 * 1024 * 1024;
const AUDIO_FRAME = 1024;
// RTMP's milliseconds are too coarse for audio, so its frames are counted. The two may differ by this much.
const AUDIO_SLACK_SECONDS = 0.04;

/** Cuts a broadcast into segments. Holds at most 8 MB of samples and one message. */
export class Segmenter {
  readonly #timeline = new Timeline();
  readonly #onSegment: (segment: Segment) => void;
  #video: VideoFormat | undefined;
  #audio: AudioFormat | undefined;
  /** Undefined until the first segment, which fixes the tracks. */
  #formats: readonly TrackFormat[] | undefined;
  #videoSamples: Sample[] = [];
  #audioSamples: Sample[] = [];
  #pendingBytes = 0;
  #number = 0;
  /** In ms; undefined until the first sample. */
  #startedAt: number | undefined;
  #lastVideo = -1;
  #frameMs = 1;
  #nextAudio = 0;

  constructor(onSegment: (segment: Segment) => void) {
    this.#onSegment = onSegment;
  }

  /** In ms since the first sample, or since the first message if there was none. */
  get time(): number {
    return this.#timeline.now;
  }

  /** Throws a ProtocolError if the format changes: the broadcast has to start again. */
  add(timestamp: number, part: MediaPart): void {
    const now = this.#timeline.advance(timestamp);
    if (part.kind === 'format') this.#setFormat(part.format);
    if (part.kind === 'video') this.#addVideo(now, part);
    if (part.kind === 'audio') this.#addAudio(now, part.data);
  }

  /** Makes a segment of the remaining samples. */
  end(): void {
    if (this.#pendingBytes === 0) return;
    const audioEnd = (this.#nextAudio * 1000) / (this.#audio?.sampleRate ?? 1);
    this.#cut(Math.max(this.time, this.#lastVideo + this.#frameMs, Math.round(audioEnd)));
  }

  #setFormat(format: TrackFormat): void {
    const known = format.kind === 'video' ? this.#video : this.#audio;
    if (known !== undefined && Buffer.compare(known.configuration, format.configuration) === 0) return;
    if (known !== undefined || this.#formats !== undefined) {
      throw new ProtocolError('The sender changed its codec settings during the broadcast');
    }
    if (format.kind === 'audio') this.#audio = format;
    else {
      this.#video = format;
      // From now on, audio waits for the first key frame.
      this.#discard();
      this.#nextAudio = 0;
    }
  }

  #addVideo(now: number, { data, isKey, compositionOffset }: MediaPart & { readonly kind: 'video' }): void {
    if (this.#video === undefined) return;
    if (this.#startedAt === undefined && !isKey) return;
    const time = Math.max(this.#begin(now), this.#lastVideo + 1);
    this.#cutBefore(time, isKey);
    this.#frameMs = Math.max(1, time - Math.max(0, this.#lastVideo));
    this.#lastVideo = time;
    this.#videoSamples.push({ time, data, flags: isKey ? KEY_SAMPLE : DELTA_SAMPLE, compositionOffset });
    this.#pendingBytes += data.length;
  }

  #addAudio(now: number, data: Buffer): void {
    if (this.#audio === undefined || (this.#startedAt === undefined && this.#video !== undefined)) return;
    const ms = Math.max(0, this.#begin(now));
    this.#cutBefore(ms, this.#video === undefined);
    const { sampleRate } = this.#audio;
    const time = Math.round((ms * sampleRate) / 1000);
    const ahead = (this.#nextAudio - time) / sampleRate;
    if (ahead > AUDIO_SLACK_SECONDS) return;
    const start = ahead < -AUDIO_SLACK_SECONDS ? time : this.#nextAudio;
    this.#nextAudio = start + AUDIO_FRAME;
    this.#audioSamples.push({ time: start, data, flags: KEY_SAMPLE, compositionOffset: 0 });
    this.#pendingBytes += data.length;
  }

  /** Returns the time since the first sample. */
  #begin(now: number): number {
    if (this.#startedAt !== undefined) return now;
    this.#startedAt = 0;
    return this.#timeline.restart();
  }

  #cutBefore(now: number, isKey: boolean): void {
    if (this.#startedAt === undefined || this.#pendingBytes === 0) return;
    const elapsed = now - this.#startedAt;
    const isDue = elapsed >= (isKey ? SHORTEST_MS : LONGEST_MS);
    if (isDue || this.#pendingBytes > MOST_BYTES) this.#cut(now);
  }

  #cut(at: number): void {
    const start = this.#startedAt ?? at;
    const now = Math.max(at, start + 1);
    const formats = this.#fixFormats();
    const runs = formats
      .map((format) => ({ format, samples: format.kind === 'video' ? this.#videoSamples : this.#audioSamples }))
      .filter(({ samples }) => samples.length > 0)
      .map(({ format, samples }) => makeRun(format, samples, format.kind === 'video' ? now : this.#nextAudio));
    const number = this.#number;
    const samples = Buffer.concat(
      formats
        .flatMap(({ kind }) => (kind === 'video' ? this.#videoSamples : this.#audioSamples))
        .map(({ data }) => data),
    );
    this.#discard();
    this.#number += 1;
    this.#startedAt = now;
    const head = fragmentHead(number, runs, formats);
    this.#onSegment({ number, start: start / 1000, duration: (now - start) / 1000, formats, runs, head, samples });
  }

  #fixFormats(): readonly TrackFormat[] {
    this.#formats ??= [this.#video, this.#audio].filter((format) => format !== undefined);
    return this.#formats;
  }

  #discard(): void {
    this.#videoSamples = [];
    this.#audioSamples = [];
    this.#pendingBytes = 0;
    this.#startedAt = undefined;
  }
}

function makeRun(format: TrackFormat, samples: readonly Sample[], end: number): Run {
  const entries = Buffer.alloc(samples.length * ENTRY_BYTES);
  for (const [index, { time, data, flags, compositionOffset }] of samples.entries()) {
    const at = index * ENTRY_BYTES;
    entries.writeUInt32BE(Math.max(0, (samples[index + 1]?.time ?? end) - time), at);
    entries.writeUInt32BE(data.length, at + 4);
    entries.writeUInt32BE(flags, at + 8);
    entries.writeInt32BE(compositionOffset, at + 12);
  }
  return { format, start: samples[0]?.time ?? end, entries };
}

// A larger step counts as a restart of the sender's clock.
const LONGEST_STEP_MS = 3000;
const STEP_AFTER_JUMP_MS = 20;

/** Converts 32-bit timestamps, which wrap around after 49 days and may jump, to the time since the first one. */
class Timeline {
  #last: number | undefined;
  #now = 0;

  get now(): number {
    return this.#now;
  }

  restart(): number {
    this.#now = 0;
    return 0;
  }

  advance(timestamp: number): number {
    const step = (timestamp - (this.#last ?? timestamp)) | 0;
    this.#last = timestamp;
    this.#now += Math.abs(step) <= LONGEST_STEP_MS ? step : STEP_AFTER_JUMP_MS;
    return this.#now;
  }
}
