import { fullBox, u32, words } from '../../../media/boxes.ts';
import { audioEntry, fragmentedMovie, KEY_SAMPLE, NORMAL_RATE, writeFragmentHead } from '../../../media/mp4.ts';
import { type PcmFormat, writeStreamInfo } from './flac.ts';

/**
 * Writes FLAC in fragmented MP4 (the mapping "Encapsulation of FLAC in ISO Base Media File Format"). mediabunny can do
 * that, too, but chooses times, their unit, and the fragments itself; here they are those of the replaced AAC.
 */
export interface FlacTrack {
  readonly format: PcmFormat;
  /** Units per second. */
  readonly timescale: number;
  /** The media time that is presented at 0. */
  readonly editTime: number;
}

export interface FlacSample {
  readonly data: Uint8Array;
  /** In the track's units. */
  readonly duration: number;
}

const TRACK_ID = 1;

export function writeFlacInit({ format, timescale, editTime }: FlacTrack): Uint8Array {
  const edits = editTime === 0 ? [] : [u32(0, editTime, NORMAL_RATE)];
  return fragmentedMovie([{ timescale, size: undefined, entry: writeDescription(format), edits }]);
}

function writeDescription(format: PcmFormat): Uint8Array {
  const streamInfo = writeStreamInfo(format);
  const lastBlock = 0x80000000;
  const blocks = fullBox('dfLa', 0, u32(lastBlock | streamInfo.length), streamInfo);
  return audioEntry('fLaC', { channels: format.channels, sampleRate: format.rate }, blocks);
}

/** Returns a fragment in parts, the samples' own bytes among them. `time` is the first sample's, in the track's units. */
export function writeFlacFragment(
  sequence: number,
  time: number,
  samples: readonly FlacSample[],
): readonly Uint8Array[] {
  const entries = words(samples.flatMap(({ duration, data }) => [duration, data.length, KEY_SAMPLE, 0]));
  const head = writeFragmentHead(sequence, [{ id: TRACK_ID, start: time, entries }]);
  return [head, ...samples.map(({ data }) => data)];
}
