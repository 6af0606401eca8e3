import { AAC, type CanPlaySound, type LeftOutSound, NOTHING_LEFT_OUT } from './leftOutSound.ts';
import type { MetProblem } from './messages.ts';
import { changeDecrypted, type Encryption } from './segmentEncryption.ts';
import { hideFragmentsOf, hideSoundTracks, isBoxFile } from './soundInBoxes.ts';
import { removeSoundFromPlaylist } from './soundInPlaylist.ts';
import { hideSoundStreams } from './soundInTransportStream.ts';

const ONLY_SOUND: MetProblem = { kind: 'soundFormat' };
/** Enough for a broadcast of several days, perhaps with a new one after each interruption. */
const MOST_INITS = 500;

/** A part of hls.js's `Fragment`: an initialization segment or a media segment. */
export interface LoadedFragment extends Addressed {
  readonly sn: number | 'initSegment';
  readonly initSegment: Addressed | null;
  readonly decryptdata: Encryption | null;
}

interface Addressed {
  readonly url: string;
  readonly byteRange: readonly number[];
}

export interface SoundFilter {
  /** Returns the playlist to use. */
  readonly adaptPlaylist: (text: string) => string | MetProblem;
  /** Changes a segment in place. */
  readonly adaptSegment: (bytes: Uint8Array<ArrayBuffer>, fragment: LoadedFragment) => Promise<MetProblem | undefined>;
}

/**
 * Leaves sound that can't be played out of what is loaded, so that the video plays. A stream with nothing but such
 * sound is a problem.
 * @param onLeftOut called once, when there is such sound, with its codec
 */
export function leaveOutSound(canPlay: CanPlaySound, onLeftOut: (codec: string) => void): SoundFilter {
  const segments = new SegmentFilter(canPlay);
  let isNoted = false;
  const judge = ({ codec, isAlone }: LeftOutSound): MetProblem | undefined => {
    if (isAlone) return ONLY_SOUND;
    if (codec !== undefined && !isNoted) {
      isNoted = true;
      onLeftOut(codec);
    }
    return undefined;
  };
  return {
    adaptPlaylist(text) {
      const { playlist, ...found } = removeSoundFromPlaylist(text, canPlay);
      return judge(found) ?? playlist;
    },
    async adaptSegment(bytes, fragment) {
      const found = await changeDecrypted(bytes, fragment.decryptdata, (clear) => segments.hideSound(clear, fragment));
      return found && judge(found);
    },
  };
}

/** Remembers the tracks of initialization segments: media segments name their tracks by IDs alone. */
class SegmentFilter {
  readonly #canPlay: CanPlaySound;
  readonly #hidden = new Map<string, ReadonlySet<number>>();

  constructor(canPlay: CanPlaySound) {
    this.#canPlay = canPlay;
  }

  hideSound(bytes: Uint8Array, fragment: LoadedFragment): LeftOutSound {
    if (isBoxFile(bytes)) return this.#hideInBoxes(bytes, keyOf(fragment));
    const packed = packedCodec(bytes);
    if (packed === undefined) return hideSoundStreams(bytes, this.#canPlay);
    return this.#canPlay(packed) ? NOTHING_LEFT_OUT : { codec: packed, isAlone: true };
  }

  #hideInBoxes(bytes: Uint8Array, key: string): LeftOutSound {
    const { trackIds, hasTracks, ...found } = hideSoundTracks(bytes, this.#canPlay);
    if (hasTracks) this.#remember(key, trackIds);
    const hidden = this.#hidden.get(key);
    if (hidden !== undefined && hidden.size > 0) hideFragmentsOf(bytes, hidden);
    return found;
  }

  #remember(key: string, trackIds: ReadonlySet<number>): void {
    this.#hidden.delete(key);
    this.#hidden.set(key, trackIds);
    const [oldest] = this.#hidden.keys();
    if (this.#hidden.size > MOST_INITS && oldest !== undefined) this.#hidden.delete(oldest);
  }
}

/** Returns the key of the initialization segment that a fragment is or needs. */
function keyOf(fragment: LoadedFragment): string {
  const init = fragment.sn === 'initSegment' ? fragment : fragment.initSegment;
  return init === null ? '' : `${init.url} ${init.byteRange.join('-')}`;
}

/** ADTS, AC-3 or E-AC-3, perhaps after ID3 tags (RFC 8216, 3.4). The layer of MP3 is not 0. */
function packedCodec(bytes: Uint8Array): string | undefined {
  let at = 0;
  while (bytes[at] === 0x49 && bytes[at + 1] === 0x44 && bytes[at + 2] === 0x33) {
    const size = bytes.subarray(at + 6, at + 10).reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0);
    at += 10 + size;
  }
  const [first, second = 0] = bytes.subarray(at, at + 2);
  if (first === 0xff && (second & 0xf6) === 0xf0) return AAC;
  // E-AC-3 has a bitstream ID of 11 to 16.
  return first === 0x0b && second === 0x77 ? ((bytes[at + 5] ?? 0) >> 3 > 10 ? 'ec-3' : 'ac-3') : undefined;
}
