import { type FoundAac, NO_AAC } from './foundAac.ts';

const STREAM_INF = '#EXT-X-STREAM-INF:';
const CODECS = /CODECS="([^"]*)"/;
const AUDIO_GROUP = /([:,])AUDIO="[^"]*",?/;
const PICTURE_OR_TEXT = /^(avc|hvc|hev|dva|dvh|vp0?[89]|av01|mp4v|stpp|wvtt)/i;

/**
 * Removes AAC from a master playlist, so that a player requests no decoder for it: its codecs, its audio groups, and
 * renditions that have only sound. Other playlists are returned unchanged.
 */
export function removeAacFromPlaylist(playlist: string): FoundAac & { readonly playlist: string } {
  const kept: string[] = [];
  let hasAac = false;
  let skips = false;
  for (const line of playlist.split(/\r?\n/)) {
    const isAddress = line.trim() !== '' && !line.startsWith('#');
    if (isAddress && skips) {
      skips = false;
      continue;
    }
    const next = line.startsWith(STREAM_INF) ? removeAac(line) : line;
    hasAac ||= next !== line;
    skips ||= next === undefined;
    if (next !== undefined) kept.push(next);
  }
  if (!hasAac) return { ...NO_AAC, playlist };
  const renditions = kept.filter((line) => line.startsWith(STREAM_INF));
  const hasGroups = renditions.some((line) => AUDIO_GROUP.test(line));
  const isNeeded = (line: string) => hasGroups || !/^#EXT-X-MEDIA:.*TYPE=AUDIO/.test(line);
  return { playlist: kept.filter(isNeeded).join('\n'), hasAac, isAlone: renditions.length === 0 };
}

/** Returns undefined for a rendition that has only AAC. A group whose codec isn't named is taken for AAC. */
function removeAac(line: string): string | undefined {
  const codecs = CODECS.exec(line)?.[1]
    ?.split(',')
    .map((codec) => codec.trim());
  const left = codecs?.filter((codec) => !isAac(codec)) ?? [];
  if (codecs !== undefined && left.length === 0) return undefined;
  const hasOtherSound = left.some((codec) => !PICTURE_OR_TEXT.test(codec));
  if (hasOtherSound && left.length === codecs?.length) return line;
  return line
    .replace(AUDIO_GROUP, '$1')
    .replace(/,$/, '')
    .replace(CODECS, `CODECS="${left.join(',')}"`);
}

/** mp4a.40.34 is MP3. */
function isAac(codec: string): boolean {
  return /^mp4a\.(40\.(?!34$)|66|67|68)/i.test(codec);
}
