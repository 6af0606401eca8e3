import { concat, free } from '../../../util/bytes.ts';
import { type AacConfig, readAacConfig } from './aacConfig.ts';
import { type AacDecoder, PRECEDING } from './aacDecoder.ts';
import { FlacWriter, type PcmFormat } from './flac.ts';
import { type FlacSample, type FlacTrack, writeFlacFragment, writeFlacInit } from './flacMp4.ts';
import { readFragments, readInit, type SoundFragment, type SoundTrackInfo } from './soundFragments.ts';

/** After this many seconds of silence alone, the cause isn't damage: the format isn't supported, or memory ran out. */
const MOST_SILENCE_S = 10;
/** Bounds what a decoder has to hold at a time: 3 s, or 3 MB of stereo. */
const FRAMES_PER_PIECE = 128;

export interface ConvertedSound {
  /** To append in place of the AAC; may be empty. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The rate of the appended sound; 0 while it isn't known. */
  readonly bytesPerSecond: number;
}

/** Thrown for sound that can't be decoded at all, no matter what follows in the stream. */
class UnsupportedSoundError extends Error {}

/**
 * Converts what is appended to one source buffer: AAC in fragmented MP4 to FLAC in fragmented MP4 with the same times.
 */
export class SoundTrack {
  readonly #decoder: AacDecoder;
  #source: { readonly info: SoundTrackInfo; readonly config: AacConfig } | undefined;
  #format: PcmFormat | undefined;
  #target: { readonly track: FlacTrack; readonly writer: FlacWriter } | undefined;
  /** The last frames before `#endTime`, in order. */
  #before: readonly Uint8Array[] = [];
  #endTime = 0;
  /** In seconds, up to `#endTime`. */
  #silence = 0;
  #sequence = 0;

  constructor(decoder: AacDecoder) {
    this.#decoder = decoder;
  }

  /**
   * Bytes are whole boxes: an initialization segment, fragments, or both. Frames that are damaged or missing become
   * silence of their length, unless there is nothing else for 10 s. Throws UnsupportedSoundError; rejects as the
   * decoder does.
   */
  async convert(bytes: Uint8Array): Promise<ConvertedSound> {
    const init = readInit(bytes);
    if (init !== undefined) this.#start(init.sound);
    if (this.#source === undefined) return { bytes: concat([]), bytesPerSecond: 0 };
    const { info, config } = this.#source;
    const fragments = readFragments(bytes, info).filter(({ samples }) => samples.length > 0);
    if (fragments.length === 0) return { bytes: concat([]), bytesPerSecond: 0 };
    const frames = fragments.flatMap(({ samples }) => samples.map(({ data }) => data));
    // A damaged frame can look like another format, so a format is kept while anything can be decoded.
    this.#format ??= await this.#decoder.readFormat(config, frames);
    const format = this.#format;
    const parts = this.#setTarget({ format, timescale: info.timescale, editTime: info.editTime });
    for (const fragment of fragments) parts.push(...(await this.#convertFragment(config, format, fragment)));
    const converted = concat(parts);
    for (const part of parts) free(part);
    return { bytes: converted, bytesPerSecond: format.rate * format.channels * 2 };
  }

  #start(info: SoundTrackInfo | undefined): void {
    const config = info?.config && readAacConfig(info.config);
    if (info === undefined || config === undefined) {
      throw new UnsupportedSoundError(
        info === undefined ? 'There is no sound in the stream' : `No decoder for the sound (${describe(info.config)})`,
      );
    }
    const previous = this.#source?.config;
    const isSame = previous?.rate === config.rate && previous.channelConfig === config.channelConfig;
    if (!isSame || this.#source?.info.timescale !== info.timescale) this.#before = [];
    if (!isSame) this.#format = undefined;
    this.#source = { info, config };
  }

  /** Returns the initialization segment where a new one is needed. */
  #setTarget(track: FlacTrack): Uint8Array[] {
    if (this.#target !== undefined && isSameTrack(this.#target.track, track)) return [];
    this.#target = { track, writer: new FlacWriter(track.format) };
    return [writeFlacInit(track)];
  }

  async #convertFragment(config: AacConfig, format: PcmFormat, { time, samples }: SoundFragment) {
    const start = time ?? this.#endTime;
    const tolerance = samples[0]?.duration ?? 0;
    if (Math.abs(start - this.#endTime) > tolerance) this.#before = [];
    const flac: FlacSample[] = [];
    for (let at = 0; at < samples.length; at += FRAMES_PER_PIECE) {
      const piece = samples.slice(at, at + FRAMES_PER_PIECE);
      const frames = piece.map(({ data }) => data);
      const { pcm, isSilent } = await this.#decoder.decode({ config, format, before: this.#before, frames });
      this.#countSilence(isSilent ? (frames.length * format.samplesPerFrame) / format.rate : 0);
      for (const [index, data] of this.#writeFrames(pcm, format).entries()) {
        flac.push({ data, duration: piece[index]?.duration ?? 0 });
      }
      free(pcm);
      // Copies, because a frame would otherwise keep the whole segment in memory.
      this.#before = [...this.#before, ...frames].slice(-PRECEDING).map((frame) => frame.slice());
    }
    this.#endTime = samples.reduce((sum, { duration }) => sum + duration, start);
    this.#sequence += 1;
    return writeFlacFragment(this.#sequence, start, flac);
  }

  #countSilence(seconds: number): void {
    this.#silence = seconds === 0 ? 0 : this.#silence + seconds;
    if (seconds > 0) this.#format = undefined;
    if (this.#silence > MOST_SILENCE_S)
      throw new UnsupportedSoundError(`Nothing could be decoded for ${MOST_SILENCE_S} seconds`);
  }

  #writeFrames(pcm: Float32Array, { samplesPerFrame, channels }: PcmFormat): readonly Uint8Array[] {
    const size = samplesPerFrame * channels;
    const count = pcm.length / size;
    return Array.from(
      { length: count },
      (_, at) => this.#target?.writer.write(pcm.subarray(at * size, at * size + size)) ?? concat([]),
    );
  }
}

function isSameTrack(one: FlacTrack, other: FlacTrack): boolean {
  return (
    one.timescale === other.timescale &&
    one.editTime === other.editTime &&
    one.format.rate === other.format.rate &&
    one.format.channels === other.format.channels &&
    one.format.samplesPerFrame === other.format.samplesPerFrame
  );
}

function describe(config: Uint8Array | undefined): string {
  if (config === undefined) return 'no AAC, or encrypted';
  return Array.from(config.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
