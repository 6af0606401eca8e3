import { hideAacTracks, hideFragmentsOf, isBoxFile } from './aacInBoxes.ts';
import { removeAacFromPlaylist } from './aacInPlaylist.ts';
import { hideAacStreams } from './aacInTransportStream.ts';
import type { FoundAac } from './foundAac.ts';
import type { MetProblem } from './messages.ts';
import { changeDecrypted, type Encryption } from './segmentEncryption.ts';

const ONLY_SOUND: MetProblem = { kind: 'soundFormat' };
/** Of a broadcast that goes on for days, perhaps with a new one after each interruption. */
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
 * Leaves AAC out of what is loaded, so that the picture plays where AAC can't be decoded. What has nothing but AAC is a
 * problem.
 * @param onNoSound called once, when there is AAC
 */
export function leaveOutAac(onNoSound: () => void): SoundFilter {
  const segments = new SegmentFilter();
  let isNoted = false;
  const judge = ({ hasAac, isAlone }: FoundAac): MetProblem | undefined => {
    if (isAlone) return ONLY_SOUND;
    if (hasAac && !isNoted) {
      isNoted = true;
      onNoSound();
    }
    return undefined;
  };
  return {
    adaptPlaylist(text) {
      const { playlist, ...found } = removeAacFromPlaylist(text);
      return judge(found) ?? playlist;
    },
    async adaptSegment(bytes, fragment) {
      const found = await changeDecrypted(bytes, fragment.decryptdata, (clear) => segments.hideAac(clear, fragment));
      return found && judge(found);
    },
  };
}

/** Remembers the tracks of initialization segments: media segments name their tracks by ids alone. */
class SegmentFilter {
  readonly #hidden = new Map<string, ReadonlySet<number>>();

  hideAac(bytes: Uint8Array, fragment: LoadedFragment): FoundAac {
    if (isBoxFile(bytes)) return this.#hideInBoxes(bytes, keyOf(fragment));
    return isPackedAac(bytes) ? { hasAac: true, isAlone: true } : hideAacStreams(bytes);
  }

  #hideInBoxes(bytes: Uint8Array, key: string): FoundAac {
    const { trackIds, hasTracks, ...found } = hideAacTracks(bytes);
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

/** Of the initialization segment that a fragment is or needs. */
function keyOf(fragment: LoadedFragment): string {
  const init = fragment.sn === 'initSegment' ? fragment : fragment.initSegment;
  return init === null ? '' : `${init.url} ${init.byteRange.join('-')}`;
}

/** ADTS, perhaps after ID3 tags (RFC 8216, 3.4). The layer of MP3 is not 0. */
function isPackedAac(bytes: Uint8Array): boolean {
  let at = 0;
  while (bytes[at] === 0x49 && bytes[at + 1] === 0x44 && bytes[at + 2] === 0x33) {
    const size = bytes.subarray(at + 6, at + 10).reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0);
    at += 10 + size;
  }
  return bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xf6) === 0xf0;
}
