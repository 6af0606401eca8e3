/** What a player needs to know about an HLS playlist before it loads it (RFC 8216). */
export interface Playlist {
  readonly isMaster: boolean;
  /** Segments may still be added. */
  readonly isGrowing: boolean;
  /** All addresses, absolute, without duplicates. */
  readonly urls: readonly string[];
}

export type PlaylistProblem =
  /** Empty, or without anything to play. */
  | { readonly kind: 'emptyPlaylist' }
  | { readonly kind: 'htmlPlaylist' }
  | { readonly kind: 'malformedPlaylist' }
  | { readonly kind: 'foreignScheme'; readonly scheme: string };

export type PlaylistRead = Playlist | PlaylistProblem;

/** Tags with an address that players load; keys have other schemes as well (skd:, data:). */
const LOADED_TAGS = /^#EXT-X-(MEDIA|MAP|I-FRAME-STREAM-INF|PART|PRELOAD-HINT|KEY|SESSION-KEY):/;
const KEY_TAGS = /^#EXT-X-(SESSION-)?KEY:/;
const URI_ATTRIBUTE = /[:,]URI="([^"]*)"/;

/** Parses a playlist that was loaded from `address`. Never throws. */
export function readPlaylist(text: string, address: string): PlaylistRead {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first] = lines;
  if (first === undefined) return { kind: 'emptyPlaylist' };
  if (first.startsWith('<')) return { kind: 'htmlPlaylist' };
  if (!first.startsWith('#EXTM3U')) return { kind: 'malformedPlaylist' };
  return readLines(lines, address);
}

function readLines(lines: readonly string[], address: string): PlaylistRead {
  const isMaster = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'));
  const entries = lines.filter((line) => !line.startsWith('#'));
  const tag = isMaster ? '#EXT-X-STREAM-INF:' : '#EXTINF:';
  const announced = lines.filter((line) => line.startsWith(tag)).length;
  if (entries.length === 0 && announced === 0) return { kind: 'emptyPlaylist' };
  if (announced === 0 || entries.length < announced) return { kind: 'malformedPlaylist' };
  const found = absoluteUrls([...entries, ...lines.flatMap(addressOfTag)], address);
  if ('kind' in found) return found;
  const isGrowing = !isMaster && !lines.some((line) => line.startsWith('#EXT-X-ENDLIST'));
  return { isMaster, isGrowing, urls: found };
}

function addressOfTag(line: string): readonly string[] {
  const uri = LOADED_TAGS.test(line) ? URI_ATTRIBUTE.exec(line)?.[1] : undefined;
  if (uri === undefined || uri === '') return [];
  const isOtherKey = KEY_TAGS.test(line) && /^(?!https?:|file:)[a-z][a-z0-9+.-]*:/i.test(uri);
  return isOtherKey ? [] : [uri];
}

function absoluteUrls(entries: readonly string[], address: string): readonly string[] | PlaylistProblem {
  const urls = new Set<string>();
  for (const entry of entries) {
    const url = URL.parse(entry, address);
    if (url === null) return { kind: 'malformedPlaylist' };
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      return { kind: 'foreignScheme', scheme: url.protocol.slice(0, -1) };
    }
    urls.add(url.href);
  }
  return [...urls];
}
