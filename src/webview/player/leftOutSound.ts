/** The sound that can't be played in a part of a stream. */
export interface LeftOutSound {
  /** The codec of sound that can't be played and is left out now; undefined if there is none. */
  readonly codec: string | undefined;
  /** Whether there was nothing else to play. */
  readonly isAlone: boolean;
}

/** Returns whether sound can be played. @param codec in the form of RFC 6381: mp4a.40.2 */
export type CanPlaySound = (codec: string) => boolean;

export const NOTHING_LEFT_OUT: LeftOutSound = { codec: undefined, isAlone: false };

/** AAC whose exact kind isn't specified. */
export const AAC = 'mp4a.40.2';

/** mp4a.40.34 is MP3. Without an object type, it's taken for AAC, because nearly all of it is. */
export function isAacCodec(codec: string): boolean {
  return /^mp4a(\.40(\.(?!34$)\w+)?|\.6[678])?$/i.test(codec);
}

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(mp3|mp4a\.(40\.34|69|6b))$/i, 'MP3'],
  [/^mp4a/i, 'AAC'],
  [/^ac-3/i, 'AC-3'],
  [/^ec-3/i, 'E-AC-3'],
  [/^ac-4/i, 'AC-4'],
  [/^opus/i, 'Opus'],
  [/^flac/i, 'FLAC'],
  [/^alac/i, 'ALAC'],
  [/^dts/i, 'DTS'],
  [/^mh[am]/i, 'MPEG-H'],
  [/^(l?pcm|ipcm|sowt|twos)/i, 'PCM'],
];

/** Returns the common name of a format. */
export function formatName(codec: string): string {
  return NAMES.find(([pattern]) => pattern.test(codec))?.[1] ?? codec;
}
