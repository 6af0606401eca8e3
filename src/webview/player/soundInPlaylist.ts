import { AAC, type CanPlaySound, type LeftOutSound, NOTHING_LEFT_OUT } from './leftOutSound.ts';

const STREAM_INF = '#EXT-X-STREAM-INF:';
const CODECS = /CODECS="([^"]*)"/;
const AUDIO_GROUP = /([:,])AUDIO="[^"]*",?/;
const PICTURE_OR_TEXT = /^(avc|hvc|hev|dva|dvh|vp0?[89]|av01|mp4v|stpp|wvtt)/i;

/**
 * Removes sound that can't be played from a master playlist, so that a player requests no decoder for it: its codecs,
 * its audio groups, and renditions that have only such sound. Other playlists are returned unchanged.
 */
export function removeSoundFromPlaylist(
  playlist: string,
  canPlay: CanPlaySound,
): LeftOutSound & { readonly playlist: string } {
  const kept: string[] = [];
  let codec: string | undefined;
  let skips = false;
  for (const line of playlist.split(/\r?\n/)) {
    const isAddress = line.trim() !== '' && !line.startsWith('#');
    if (isAddress && skips) {
      skips = false;
      continue;
    }
    const next = line.startsWith(STREAM_INF) ? removeSound(line, canPlay) : { line, codec: undefined };
    codec ??= next.codec;
    skips ||= next.line === undefined;
    if (next.line !== undefined) kept.push(next.line);
  }
  if (codec === undefined) return { ...NOTHING_LEFT_OUT, playlist };
  const renditions = kept.filter((line) => line.startsWith(STREAM_INF));
  const hasGroups = renditions.some((line) => AUDIO_GROUP.test(line));
  const isNeeded = (line: string) => hasGroups || !/^#EXT-X-MEDIA:.*TYPE=AUDIO/.test(line);
  return { playlist: kept.filter(isNeeded).join('\n'), codec, isAlone: renditions.length === 0 };
}

interface Changed {
  /** Undefined for a rendition that has only sound that can't be played. */
  readonly line: string | undefined;
  /** What was removed; undefined if nothing was. */
  readonly codec: string | undefined;
}

/** A group whose codec isn't named is assumed to be AAC. */
function removeSound(line: string, canPlay: CanPlaySound): Changed {
  const codecs = CODECS.exec(line)?.[1]
    ?.split(',')
    .map((codec) => codec.trim());
  const isLeft = (codec: string) => PICTURE_OR_TEXT.test(codec) || canPlay(codec);
  const left = codecs?.filter(isLeft) ?? [];
  const removed = codecs?.find((codec) => !isLeft(codec));
  if (codecs !== undefined && left.length === 0) return { line: undefined, codec: removed };
  const hasSound = left.some((codec) => !PICTURE_OR_TEXT.test(codec));
  const isUnnamed = removed === undefined && !hasSound && AUDIO_GROUP.test(line) && !canPlay(AAC);
  if (removed === undefined && !isUnnamed) return { line, codec: undefined };
  const changed = line
    .replace(AUDIO_GROUP, '$1')
    .replace(/,$/, '')
    .replace(CODECS, `CODECS="${left.join(',')}"`);
  return { line: changed, codec: removed ?? AAC };
}
