import { linesOf } from '../inspection/playlist.ts';
import { type PlaylistVariables, substitutedLines, type VariableSource } from './playlistVariables.ts';

export type UriKind = 'playlist' | 'segment' | 'key';

export type PlaylistProblem =
  | { readonly kind: 'emptyPlaylist' | 'htmlPlaylist' | 'malformedPlaylist' | 'endlessPlaylist' }
  | { readonly kind: 'foreignScheme'; readonly scheme: string };

/** `url` is also the base of the playlist's relative URIs. */
export interface RewriteOptions extends VariableSource {
  /** Returns the replacement for an absolute http or https URL. */
  readonly replace: (url: string, kind: UriKind) => string;
}

export interface RewrittenPlaylist {
  readonly text: string;
  readonly variables: PlaylistVariables;
  /** Whether the playlist is complete or lists renditions, so that it doesn't change. */
  readonly isComplete: boolean;
}

const MOST_URIS = 200_000;

/** Tags with a URI that players load (RFC 8216bis, 4.4). */
const URI_KINDS: Readonly<Record<string, UriKind>> = {
  '#EXT-X-MEDIA': 'playlist',
  '#EXT-X-MAP': 'segment',
  '#EXT-X-PART': 'segment',
  '#EXT-X-PRELOAD-HINT': 'segment',
  '#EXT-X-KEY': 'key',
  '#EXT-X-SESSION-KEY': 'key',
};
/** Tags for other resources, which the player doesn't use. */
const DROPPED = /^#EXT-X-(CONTENT-STEERING|SESSION-DATA|RENDITION-REPORT|I-FRAME-STREAM-INF|IMAGE-STREAM-INF):/;
const URI = /([:,]URI=)"([^"]*)"/;
const STREAM_INF = '#EXT-X-STREAM-INF:';

/**
 * Replaces every URI that a player loads from a playlist and removes tags that lead elsewhere. A playlist with another
 * URI scheme is refused as a whole. Only keys may have schemes of their own, because other players use them.
 */
export function rewritePlaylist(text: string, options: RewriteOptions): RewrittenPlaylist | PlaylistProblem {
  const lines = [...linesOf(text)];
  const [first] = lines;
  if (first === undefined) return { kind: 'emptyPlaylist' };
  if (first.startsWith('<')) return { kind: 'htmlPlaylist' };
  if (!first.startsWith('#EXTM3U')) return { kind: 'malformedPlaylist' };
  return rewriteLines(lines, options);
}

function rewriteLines(lines: readonly string[], options: RewriteOptions): RewrittenPlaylist | PlaylistProblem {
  const isMaster = lines.some((line) => line.startsWith(STREAM_INF));
  const announced = lines.filter((line) => line.startsWith(isMaster ? STREAM_INF : '#EXTINF:')).length;
  const entries = lines.filter((line) => !line.startsWith('#')).length;
  if (entries === 0 && announced === 0) return { kind: 'emptyPlaylist' };
  if (announced === 0 || entries < announced) return { kind: 'malformedPlaylist' };
  if (entries > MOST_URIS) return { kind: 'endlessPlaylist' };
  const variables = new Map<string, string>();
  const rewritten: string[] = [];
  for (const line of substitutedLines(lines, variables, options)) {
    if (DROPPED.test(line)) continue;
    const next = rewriteLine(line, isMaster ? 'playlist' : 'segment', options);
    if (typeof next !== 'string') return next;
    rewritten.push(next);
  }
  const isComplete = isMaster || lines.some((line) => line.startsWith('#EXT-X-ENDLIST'));
  return { text: `${rewritten.join('\n')}\n`, variables, isComplete };
}

function rewriteLine(line: string, entry: UriKind, options: RewriteOptions): string | PlaylistProblem {
  if (!line.startsWith('#')) return replaceUri(line, entry, options);
  // A delta update wouldn't list the segments that it skips.
  if (line.startsWith('#EXT-X-SERVER-CONTROL:')) return line.replace(/CAN-SKIP-UNTIL=[^,]*,?/, '');
  const kind = URI_KINDS[line.slice(0, line.indexOf(':'))];
  const uri = kind === undefined ? undefined : URI.exec(line)?.[2];
  if (kind === undefined || uri === undefined || uri === '') return line;
  const isOtherKey = kind === 'key' && /^(?!https?:|file:)[a-z][a-z0-9+.-]*:/i.test(uri);
  if (isOtherKey) return line;
  const next = replaceUri(uri, kind, options);
  return typeof next === 'string' ? line.replace(URI, (_, attribute: string) => `${attribute}"${next}"`) : next;
}

function replaceUri(uri: string, kind: UriKind, { url, replace }: RewriteOptions): string | PlaylistProblem {
  const absolute = URL.parse(uri, url);
  if (absolute === null) return { kind: 'malformedPlaylist' };
  if (absolute.protocol !== 'https:' && absolute.protocol !== 'http:') {
    return { kind: 'foreignScheme', scheme: absolute.protocol.slice(0, -1) };
  }
  return replace(absolute.href, kind);
}
