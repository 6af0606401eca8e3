import { AudioDecoder as FileDecoder, getAudioDecoder } from 'audio-file-decoder';
import { concat, free } from '../../../util/bytes.ts';
import { type AacConfig, addAdtsHeader, makeSilentFrame } from './aacConfig.ts';
import { MAX_CHANNELS, type PcmFormat } from './flac.ts';

/** Frames of one stream. */
export interface AacPiece {
  readonly config: AacConfig;
  readonly format: PcmFormat;
  /** The raw frames directly before these, of which at most PRECEDING are used; none where the stream starts. */
  readonly before: readonly Uint8Array[];
  /** Raw frames. */
  readonly frames: readonly Uint8Array[];
}

export interface DecodedPiece {
  /** The samples of all frames from -1 to 1, channel after channel for each time. */
  readonly pcm: Float32Array;
  /** Whether no frame could be decoded: perhaps the format is a different one. */
  readonly isSilent: boolean;
}

/** SBR and PS need settings that are not in every frame: encoders repeat them within half a second. */
export const PRECEDING = 32;
const PRECEDING_LC = 2;
const CORE_SAMPLES = 1024;
const FRAMES_TO_PROBE = 16;
/** Per piece. Starting a module takes 30 ms; after this many crashes, the rest of a piece is silence. */
const CRASHES_AT_MOST = 4;
const SILENCE = { objectType: 2, rate: 48000, rateIndex: 3, channelConfig: 1, channels: 1 } as const;

/**
 * Decodes AAC with audio-file-decoder, FFmpeg in WebAssembly. No other file uses it. It's made for whole files, so it
 * gets each piece as one. Its behavior, found by experiment: a file has at least three frames; the samples
 * of the first are left out; a frame is only right if the one before it was decoded; a bad frame may fail the file; a
 * module that crashed can't be used again.
 */
export class AacDecoder {
  /** Any file of the module that is in use: all files share it. */
  #file: FileDecoder;

  private constructor(file: FileDecoder) {
    this.#file = file;
  }

  /**
   * Starts the decoder in a worker that does nothing else: its global `fetch`, which loads the decoder's module,
   * is replaced, since pages may send no request. Rejects if the module can't be compiled or run.
   */
  static async load(wasm: ArrayBuffer): Promise<AacDecoder> {
    const headers = { 'content-type': 'application/wasm' };
    Object.assign(globalThis, { fetch: async () => new Response(wasm, { headers }) });
    return new AacDecoder(await startModule());
  }

  /**
   * Returns the decoder's output format for a stream that starts with these frames: with SBR, twice the rate of the
   * core; with PS, stereo. If it can't decode them, returns the format of the core according to the config.
   */
  async readFormat(config: AacConfig, frames: readonly Uint8Array[]): Promise<PcmFormat> {
    const core: PcmFormat = { rate: config.rate, channels: config.channels, samplesPerFrame: CORE_SAMPLES };
    const adts = frames.slice(0, FRAMES_TO_PROBE).flatMap((frame) => addAdtsHeader(config, frame) ?? []);
    const probed = await this.#openFile([...adts, ...adts, ...adts].slice(0, FRAMES_TO_PROBE), (file) => ({
      rate: file.sampleRate,
      channels: file.channelCount,
    }));
    if (!probed.isDone || probed.value.channels < 1 || probed.value.channels > MAX_CHANNELS) return core;
    const { rate, channels } = probed.value;
    if (rate === 2 * config.rate) return { rate, channels, samplesPerFrame: 2 * CORE_SAMPLES };
    return rate === config.rate ? { ...core, channels } : core;
  }

  /** Frames that can't be decoded are silent. Rejects if the module crashed and can't be started again. */
  async decode(piece: AacPiece): Promise<DecodedPiece> {
    const { config, format, before, frames } = piece;
    const toAdts = (frame: Uint8Array): Uint8Array | undefined => addAdtsHeader(config, frame);
    const preceding = before.slice(-PRECEDING);
    const work: Work = {
      config,
      format,
      adts: [...preceding, ...frames].map(toAdts),
      start: preceding.length,
      pcm: new Float32Array(frames.length * format.samplesPerFrame * format.channels),
      decoded: 0,
      crashes: 0,
    };
    await this.#decodeRange(work, work.start, work.adts.length);
    return { pcm: work.pcm, isSilent: work.decoded === 0 };
  }

  /** Decodes the frames between two indices of `work.adts`; if that fails, decodes one half after the other. */
  async #decodeRange(work: Work, from: number, to: number): Promise<void> {
    if (from >= to || work.crashes > CRASHES_AT_MOST) return;
    const range = work.adts.slice(from, to);
    const isWhole = range.every((frame) => frame !== undefined);
    if (isWhole && (await this.#tryRange(work, from, range))) return;
    if (range.length === 1) {
      work.adts[from] = undefined;
      return;
    }
    const middle = (from + to) >> 1;
    await this.#decodeRange(work, from, middle);
    await this.#decodeRange(work, middle, to);
  }

  async #tryRange(work: Work, from: number, range: readonly Uint8Array[]): Promise<boolean> {
    const { rate, channels, samplesPerFrame } = work.format;
    const lead = leadOf(work, from);
    const file = [...lead.frames, ...range];
    const decoded = await this.#openFile(file, (opened) =>
      opened.sampleRate === rate && opened.channelCount === channels
        ? opened.decodeAudioData(0, -1, { multiChannel: true })
        : undefined,
    );
    if (!decoded.isDone && decoded.isCrash) work.crashes += 1;
    const size = samplesPerFrame * channels;
    if (!decoded.isDone || decoded.value?.length !== (file.length - 1) * size) return false;
    const samples = decoded.value.subarray(decoded.value.length - range.length * size);
    if (lead.isMuted) samples.fill(0, 0, size);
    work.pcm.set(samples, (from - work.start) * size);
    free(samples);
    work.decoded += range.length;
    return true;
  }

  async #openFile<T>(frames: readonly Uint8Array[], use: (file: FileDecoder) => T): Promise<Opened<T>> {
    try {
      const file = new FileDecoder(Reflect.get(this.#file, '_module'), concat(frames).buffer);
      const value = use(file);
      file.dispose();
      return { isDone: true, value };
    } catch (error) {
      // The package throws strings for its own errors. Anything else comes from the module, which may be in any state.
      const isCrash = typeof error !== 'string';
      if (isCrash) this.#file = await startModule();
      return { isDone: false, isCrash };
    }
  }
}

interface Work {
  readonly config: AacConfig;
  readonly format: PcmFormat;
  /** With ADTS headers; undefined for damaged frames. */
  readonly adts: (Uint8Array | undefined)[];
  /** Index of the first frame whose samples are wanted. */
  readonly start: number;
  readonly pcm: Float32Array;
  /** The count of decoded frames. */
  decoded: number;
  crashes: number;
}

type Opened<T> = { readonly isDone: true; readonly value: T } | { readonly isDone: false; readonly isCrash: boolean };

/** Returns frames, at least two, to decode before the one at `from`, and whether they make that one unusable. */
function leadOf({ config, format, adts }: Work, from: number) {
  const isLc = format.samplesPerFrame === CORE_SAMPLES;
  const frames: Uint8Array[] = [];
  for (let at = from - 1; frames.length < (isLc ? PRECEDING_LC : PRECEDING); at--) {
    const frame = adts[at];
    if (frame === undefined) break;
    frames.unshift(frame);
  }
  if (frames.length >= 2) return { frames, isMuted: false };
  const silence = addAdtsHeader(config, makeSilentFrame(config));
  const first = adts[from];
  if (isLc && silence !== undefined)
    return { frames: [silence, ...(frames.length > 0 ? frames : [silence])], isMuted: false };
  // Silence without SBR would make the decoder treat the stream as one without SBR.
  return { frames: first === undefined ? [] : [first, first], isMuted: true };
}

async function startModule(): Promise<FileDecoder> {
  const silence = addAdtsHeader(SILENCE, makeSilentFrame(SILENCE)) ?? new Uint8Array();
  return getAudioDecoder('', concat([silence, silence, silence]).buffer);
}
