import { free } from '../../../util/bytes.ts';
import type { FromSoundWorker } from './messages.ts';
import { type BufferKind, isAac, readMimeType, writePictureType } from './mimeTypes.ts';
import { hideSound, readInit } from './soundFragments.ts';

export type Converted = Extract<FromSoundWorker, { readonly kind: 'converted' }>;

const FLAC_TYPE = 'audio/mp4; codecs="flac"';
/** How much stays buffered behind the position when there is no room for more, in seconds. */
const KEPT_BEHIND_S = 2;

/** The part of TimeRanges that is used; times in seconds. */
export interface Ranges {
  readonly length: number;
  start(index: number): number;
  end(index: number): number;
}

/** The part of SourceBuffer that is used. */
export interface RealBuffer extends EventTarget {
  readonly updating: boolean;
  readonly buffered: Ranges;
  mode: 'segments' | 'sequence';
  timestampOffset: number;
  appendWindowStart: number;
  appendWindowEnd: number;
  appendBuffer(bytes: Uint8Array<ArrayBuffer>): void;
  remove(start: number, end: number): void;
  abort(): void;
  changeType(type: string): void;
}

/** The part of SoundWorker that buffers use. */
export interface Converter {
  /** Returns a number for a source buffer whose sound is to be converted. */
  addTrack(): number;
  /**
   * Returns FLAC for AAC and takes ownership of the bytes; undefined if the worker failed or was disposed, or the
   * track was forgotten in the meantime.
   */
  convert(track: number, bytes: Uint8Array<ArrayBuffer>): Promise<Converted | undefined>;
  /** Lets the next conversion start over, with an initialization segment. */
  forget(track: number): void;
}

export interface SoundBufferOptions<Real extends RealBuffer> {
  /** Adds one of the browser's own buffers. */
  readonly addSourceBuffer: (type: string) => Real;
  readonly worker: Converter;
  readonly media: EventTarget & { readonly currentTime: number };
  /** Called whenever it becomes known how many bytes a second of sound takes. */
  readonly onBytesPerSecond: (bytesPerSecond: number) => void;
}

/**
 * Looks to hls.js like a source buffer for AAC, alone or with video. Internally, there's one for FLAC and one for
 * video, and this one is updating until both are done. Other sound is passed through: changeType may make it AAC.
 */
export class SoundBuffer<Real extends RealBuffer> extends EventTarget {
  readonly #options: SoundBufferOptions<Real>;
  /** Identifies this buffer in the worker. */
  readonly #track: number;
  readonly #sound: Real;
  readonly #picture: Real | undefined;
  #kind: BufferKind;
  #soundTrackId: number | undefined;
  /** The operation in progress. Once aborted, it changes nothing more. */
  #operation: AbortController | undefined;

  /** Throws as addSourceBuffer does. */
  constructor(options: SoundBufferOptions<Real>, type: string) {
    super();
    this.#options = options;
    this.#track = options.worker.addTrack();
    this.#kind = readMimeType(type);
    const picture = writePictureType(this.#kind);
    this.#picture = picture === undefined ? undefined : options.addSourceBuffer(picture);
    this.#sound = options.addSourceBuffer(isAac(this.#kind) ? FLAC_TYPE : type);
  }

  /** The browser's buffers behind this one. */
  get buffers(): readonly Real[] {
    return this.#picture === undefined ? [this.#sound] : [this.#picture, this.#sound];
  }

  get updating(): boolean {
    return this.#operation !== undefined || this.buffers.some(({ updating }) => updating);
  }

  /** The ranges that have both sound and video. */
  get buffered(): Ranges {
    return this.#picture === undefined ? this.#sound.buffered : intersect(this.#picture.buffered, this.#sound.buffered);
  }

  get mode(): RealBuffer['mode'] {
    return this.#sound.mode;
  }

  set mode(mode: RealBuffer['mode']) {
    this.#requireIdle();
    for (const buffer of this.buffers) buffer.mode = mode;
  }

  get timestampOffset(): number {
    return this.#sound.timestampOffset;
  }

  set timestampOffset(seconds: number) {
    this.#requireIdle();
    for (const buffer of this.buffers) buffer.timestampOffset = seconds;
  }

  get appendWindowStart(): number {
    return this.#sound.appendWindowStart;
  }

  set appendWindowStart(seconds: number) {
    this.#requireIdle();
    for (const buffer of this.buffers) buffer.appendWindowStart = seconds;
  }

  get appendWindowEnd(): number {
    return this.#sound.appendWindowEnd;
  }

  set appendWindowEnd(seconds: number) {
    this.#requireIdle();
    for (const buffer of this.buffers) buffer.appendWindowEnd = seconds;
  }

  appendBuffer(data: ArrayBuffer | ArrayBufferView): void {
    this.#requireIdle();
    const bytes = copyBytes(data);
    if (!isAac(this.#kind)) {
      this.#sound.appendBuffer(bytes);
      this.#run(() => [whenUpdated(this.#sound)]);
      return;
    }
    const init = readInit(bytes);
    if (init !== undefined) this.#soundTrackId = init.sound?.trackId;
    // Without room this throws before anything has changed.
    this.#picture?.appendBuffer(this.#soundTrackId === undefined ? bytes : hideSound(bytes, this.#soundTrackId));
    const pictures = this.#picture === undefined ? [] : [whenUpdated(this.#picture)];
    this.#run((signal) => [...pictures, this.#appendSound(bytes, signal)]);
  }

  remove(start: number, end: number): void {
    this.#requireIdle();
    for (const buffer of this.buffers) buffer.remove(start, end);
    this.#run(() => this.buffers.map((buffer) => whenUpdated(buffer)));
  }

  abort(): void {
    for (const buffer of this.buffers) buffer.abort();
    if (this.#operation === undefined) return;
    this.#operation.abort();
    this.#operation = undefined;
    this.#dispatch('abort', 'updateend');
  }

  changeType(type: string): void {
    this.#requireIdle();
    const kind = readMimeType(type);
    const [was, is] = [isAac(this.#kind), isAac(kind)];
    if (this.#picture !== undefined) {
      const picture = writePictureType(kind);
      if (!is || picture === undefined)
        throw new DOMException(`${type} instead of AAC and a picture`, 'NotSupportedError');
      this.#picture.changeType(picture);
    }
    if (!is || !was) {
      this.#sound.changeType(is ? FLAC_TYPE : type);
      this.#options.worker.forget(this.#track);
    }
    this.#kind = kind;
  }

  /** Aborts the operation in progress. The browser's buffers stay as they are. */
  dispose(): void {
    this.#operation?.abort();
    this.#options.worker.forget(this.#track);
  }

  #requireIdle(): void {
    if (this.updating) throw new DOMException('The source buffer is updating', 'InvalidStateError');
  }

  #run(start: (signal: AbortSignal) => readonly Promise<boolean>[]): void {
    const operation = new AbortController();
    this.#operation = operation;
    queueMicrotask(() => {
      if (!operation.signal.aborted) this.#dispatch('updatestart');
    });
    const finish = (isGood: boolean): void => {
      if (operation.signal.aborted) return;
      this.#operation = undefined;
      this.#dispatch(isGood ? 'update' : 'error', 'updateend');
    };
    Promise.all(start(operation.signal)).then(
      (results) => finish(results.every((isGood) => isGood)),
      () => finish(false),
    );
  }

  #dispatch(...names: readonly string[]): void {
    for (const name of names) this.dispatchEvent(new Event(name));
  }

  /** Resolves to false if the browser refuses what the worker made. If the worker fails, the video keeps playing. */
  async #appendSound(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<boolean> {
    const converted = await this.#options.worker.convert(this.#track, bytes);
    if (converted === undefined || signal.aborted || converted.bytes.length === 0) return true;
    this.#options.onBytesPerSecond(converted.bytesPerSecond);
    while (!this.#tryAppend(converted.bytes)) {
      await this.#makeRoom(signal);
      if (signal.aborted) return true;
    }
    free(converted.bytes);
    return whenUpdated(this.#sound);
  }

  /** Returns false if there is no room. */
  #tryAppend(bytes: Uint8Array<ArrayBuffer>): boolean {
    try {
      this.#sound.appendBuffer(bytes);
      return true;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError') return false;
      throw error;
    }
  }

  /**
   * Removes what was played, or waits until something has been played. FLAC needs ten times the space of AAC, so this
   * is common: hls.js, which waits for this buffer, loads as much as there would be room for in AAC, the only format
   * that it knows of.
   */
  async #makeRoom(signal: AbortSignal): Promise<void> {
    const { media } = this.#options;
    const { buffered } = this.#sound;
    const end = media.currentTime - KEPT_BEHIND_S;
    if (buffered.length > 0 && buffered.start(0) < end) {
      this.#sound.remove(0, end);
      await whenUpdated(this.#sound);
    } else await nextEvent(media, ['timeupdate', 'seeking', 'emptied'], signal);
  }
}

/** Resolves once the buffer isn't updating, to false if what was appended couldn't be read. */
function whenUpdated(buffer: RealBuffer): Promise<boolean> {
  if (!buffer.updating) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const listening = new AbortController();
  const { signal } = listening;
  let isGood = true;
  buffer.addEventListener('error', () => (isGood = false), { signal });
  buffer.addEventListener(
    'updateend',
    () => {
      listening.abort();
      resolve(isGood);
    },
    { signal },
  );
  return promise;
}

function nextEvent(target: EventTarget, names: readonly string[], signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = new AbortController();
  const end = (): void => {
    listening.abort();
    resolve();
  };
  for (const name of names) target.addEventListener(name, end, { signal: listening.signal });
  signal.addEventListener('abort', end, { signal: listening.signal });
  if (signal.aborted) end();
  return promise;
}

/** Copies the bytes, because the worker takes ownership of them. */
function copyBytes(data: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> {
  if (data instanceof ArrayBuffer) return new Uint8Array(data.slice(0));
  return new Uint8Array(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

export function intersect(one: Ranges, other: Ranges): Ranges {
  const ranges: (readonly [start: number, end: number])[] = [];
  for (let [at, otherAt] = [0, 0]; at < one.length && otherAt < other.length; ) {
    const start = Math.max(one.start(at), other.start(otherAt));
    const end = Math.min(one.end(at), other.end(otherAt));
    if (start < end) ranges.push([start, end]);
    if (one.end(at) < other.end(otherAt)) at += 1;
    else otherAt += 1;
  }
  const edge = (index: number, which: 0 | 1): number => {
    const range = ranges[index];
    if (range === undefined) throw new DOMException(`There is no range ${index}`, 'IndexSizeError');
    return range[which];
  };
  return { length: ranges.length, start: (index) => edge(index, 0), end: (index) => edge(index, 1) };
}
