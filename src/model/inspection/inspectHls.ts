import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isAbortError, isApiError } from '../../api/errors.ts';
import type { Clock, DownloadResponse, Downloads } from '../../services.ts';
import { delay } from '../../util/clock.ts';
import { createDeadline } from '../../util/deadline.ts';
import { type CheckedUrl, checkMediaUrl } from '../addresses.ts';
import { type AddressSource, describeAddressFault } from '../addressFaults.ts';
import type { PlaylistVariables } from '../playback/playlistVariables.ts';
import { followRedirects } from '../redirects.ts';
import {
  type ByteRange,
  type MasterPlaylist,
  type MediaPlaylist,
  type PlaylistFault,
  type PlaylistSegment,
  parsePlaylist,
  type Variant,
} from './playlist.ts';

/** An origin other than any service's, as for a page that embeds a player. */
export const FOREIGN_ORIGIN = 'https://example.com';

const MOST_MS = 15_000;
const MOST_REQUEST_MS = 8000;
const MOST_REQUESTS = 40;
const MOST_BYTES = 30_000_000;
const MOST_PLAYLIST_BYTES = 16 * 1024 * 1024;
const MOST_SEGMENT_BYTES = 8_000_000;
const MOST_RELOADS = 8;
const MOST_TRACKS = 8;
/** Two requests run at the same time, and each may be redirected 5 times. */
const MOST_REQUESTS_AT_ONCE = 12;

/** One response on the way to a resource: a redirect, or the last one. */
interface Hop {
  readonly host: string;
  readonly allowedOrigin: string | undefined;
}

/** Times are milliseconds: `firstByteMs` for the last hop, `totalMs` for all of them, `endedMs` since the beginning. */
export interface HttpAnswer {
  readonly kind: 'answer';
  readonly url: string;
  readonly host: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly hops: readonly Hop[];
  /** The bytes received, or announced if the response was cut; undefined if unknown. */
  readonly bytes: number | undefined;
  readonly isCut: boolean;
  readonly firstByteMs: number;
  readonly totalMs: number;
  readonly endedMs: number;
  /** By the local clock. */
  readonly receivedAt: number;
}

/** A sentence without the URL. */
interface Failure {
  readonly kind: 'failure';
  readonly sentence: string;
  readonly saysWhatToDo?: boolean;
}

/** `unspent`: not requested, because a limit was reached. */
export type Exchange = HttpAnswer | Failure | { readonly kind: 'unspent' };

export interface SegmentFacts {
  readonly segment: PlaylistSegment;
  readonly exchange: Exchange;
}

/** A rendition: one media playlist. */
export interface TrackFacts {
  /** From the master playlist; undefined for audio, and if a media playlist was given. */
  readonly variant: Variant | undefined;
  readonly name: string;
  readonly exchange: Exchange;
  readonly playlist: MediaPlaylist | PlaylistFault | undefined;
  readonly map: Exchange | undefined;
  readonly segments: readonly SegmentFacts[];
}

interface Reload {
  readonly exchange: Exchange;
  readonly playlist: MediaPlaylist | undefined;
}

export interface HlsFacts {
  readonly startedAt: number;
  readonly entry: Exchange;
  readonly playlist: MasterPlaylist | MediaPlaylist | PlaylistFault | undefined;
  /** The first is the one that players start with. */
  readonly tracks: readonly TrackFacts[];
  /** Reloads of the first track while it's live, in order. The last one is the first that has changed, if any has. */
  readonly reloads: readonly Reload[];
  /** Renditions beyond the limit. */
  readonly leftOut: number;
  readonly usage: { readonly requests: number; readonly bytes: number; readonly ms: number };
}

/** The current step. `at` counts from 1. */
export type InspectionStep =
  | { readonly kind: 'playlist' | 'changes' }
  | { readonly kind: 'rendition'; readonly at: number; readonly count: number };

export interface InspectRequest {
  /** Checked. Decides where redirects and playlists may lead, like a service's base URL. */
  readonly url: string;
  readonly downloads: Downloads;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onStep?: ((step: InspectionStep) => void) | undefined;
}

/**
 * Requests a playlist, its renditions, and some of their segments like a player, without any key: at most 40 requests,
 * 30 MB, and 15 seconds. Reloads a live playlist until it changes. Failures are part of the facts. Throws only
 * AbortErrors, from its signal or a transport that was disposed.
 */
export async function inspectHls(request: InspectRequest): Promise<HlsFacts> {
  const probe = new Probe(request);
  try {
    const facts = await inspect(probe, request);
    // Otherwise, an abort between two requests would look like a limit that was reached.
    request.signal.throwIfAborted();
    return facts;
  } finally {
    probe.dispose();
  }
}

async function inspect(probe: Probe, { url, clock, onStep }: InspectRequest): Promise<HlsFacts> {
  const startedAt = clock.now();
  onStep?.({ kind: 'playlist' });
  const { exchange: entry, playlist } = await probe.playlist(url);
  const base = entry.kind === 'answer' ? entry.url : url;
  if (playlist?.kind === 'master') probe.variables = playlist.variables;
  const sources = playlist?.kind === 'master' ? sourcesOf(playlist, base) : [];
  const count = Math.min(sources.length, MOST_TRACKS);
  if (count > 0) onStep?.({ kind: 'rendition', at: 1, count });
  const first =
    playlist?.kind === 'media'
      ? await readTrack(probe, { name: '', url: base, given: { exchange: entry, playlist } })
      : sources[0] && (await readTrack(probe, sources[0]));
  const [reloads, others] = await Promise.all([
    first === undefined ? [] : follow(probe, first),
    readOthers(probe, sources.slice(1, MOST_TRACKS), onStep),
  ]);
  const tracks = first === undefined ? [] : [first, ...others];
  const leftOut = Math.max(sources.length - MOST_TRACKS, 0);
  return { startedAt, entry, playlist, tracks, reloads, leftOut, usage: probe.usage };
}

interface TrackSource {
  readonly name: string;
  readonly url: string;
  readonly variant?: Variant | undefined;
  readonly given?: { readonly exchange: Exchange; readonly playlist: MediaPlaylist };
}

function sourcesOf({ variants, audio }: MasterPlaylist, base: string): readonly TrackSource[] {
  const seen = new Set<string>();
  const all = [
    ...variants.map((variant) => ({ name: variant.resolution ?? '', url: absolute(variant.uri, base), variant })),
    ...audio.map(({ name, uri }) => ({ name, url: absolute(uri, base) })),
  ];
  // Variants that differ in their audio share a playlist.
  return all.filter(({ url }) => !seen.has(url) && seen.add(url));
}

/** Reads only one segment of each to save the budget. Requests that still run after that wait for changes. */
async function readOthers(
  probe: Probe,
  sources: readonly TrackSource[],
  onStep: InspectRequest['onStep'],
): Promise<readonly TrackFacts[]> {
  const tracks: TrackFacts[] = [];
  for (const [index, source] of sources.entries()) {
    onStep?.({ kind: 'rendition', at: index + 2, count: sources.length + 1 });
    tracks.push(await readTrack(probe, source, (usable) => usable.slice(-1)));
  }
  onStep?.({ kind: 'changes' });
  return tracks;
}

async function readTrack(
  probe: Probe,
  { name, variant, ...source }: TrackSource,
  choose = firstAndNewest,
): Promise<TrackFacts> {
  const { exchange, playlist: read } = source.given ?? (await probe.playlist(source.url));
  // A master playlist that another one lists has no segments.
  const playlist: TrackFacts['playlist'] = read?.kind === 'master' ? { kind: 'fault', fault: 'noEntries' } : read;
  const track = { name, variant, exchange, playlist, map: undefined, segments: [] };
  if (playlist?.kind !== 'media') return track;
  const base = exchange.kind === 'answer' ? exchange.url : source.url;
  const { map } = playlist;
  const mapped = map && (await probe.segment(absolute(map.uri, base), map.byteRange));
  const segments: SegmentFacts[] = [];
  for (const segment of choose(
    playlist.segments.filter(({ isGap }) => !isGap),
    playlist,
  )) {
    segments.push({ segment, exchange: await probe.segment(absolute(segment.uri, base), segment.byteRange) });
  }
  return { ...track, map: mapped, segments };
}

/** Returns the segment that players start with (in live streams, the third from the end) and the newest one. */
function firstAndNewest(usable: readonly PlaylistSegment[], { isEnded }: MediaPlaylist): readonly PlaylistSegment[] {
  const first = isEnded ? usable[0] : usable.at(-3);
  return [...new Set([first ?? usable[0], usable.at(-1)])].filter((segment) => segment !== undefined);
}

/** Returns how long a live playlist may stay unchanged, in milliseconds (RFC 8216, 6.2.1). */
export function patienceOf({ targetDuration = 0 }: MediaPlaylist): number {
  return 1.5 * targetDuration * 1000;
}

async function follow(probe: Probe, { exchange, playlist }: TrackFacts): Promise<readonly Reload[]> {
  if (exchange.kind !== 'answer' || playlist?.kind !== 'media' || playlist.isEnded) return [];
  const reloads: Reload[] = [];
  const patience = patienceOf(playlist);
  const pause = Math.min(Math.max(patience / 3, 500), 3000);
  const until = exchange.endedMs + patience + pause;
  while (reloads.length < MOST_RELOADS && probe.elapsedMs < until && (await probe.pause(pause))) {
    const reload = await probe.playlist(exchange.url);
    if (reload.exchange.kind === 'unspent') break;
    const next = reload.playlist?.kind === 'media' ? reload.playlist : undefined;
    reloads.push({ exchange: reload.exchange, playlist: next });
    if (next === undefined || isChanged(playlist, next)) break;
  }
  return reloads;
}

export function isChanged(before: MediaPlaylist, after: MediaPlaylist): boolean {
  const [last, next] = [before.segments.at(-1), after.segments.at(-1)];
  const isSame = last?.uri === next?.uri && last?.sequence === next?.sequence;
  return !isSame || before.isEnded !== after.isEnded || before.segments[0]?.sequence !== after.segments[0]?.sequence;
}

function absolute(uri: string, base: string): string {
  return URL.parse(uri, base)?.href ?? '';
}

/** Sends the requests within the limits. */
class Probe {
  /** The variables of the multivariant playlist. */
  variables: PlaylistVariables = new Map();
  readonly #request: InspectRequest;
  readonly #ended = new AbortController();
  readonly #startedMs: number;
  readonly #disposables: { dispose(): void }[] = [];
  #requests = 0;
  #bytes = 0;

  constructor(request: InspectRequest) {
    const { clock, signal } = request;
    this.#request = request;
    this.#startedMs = clock.elapsed();
    const end = () => this.#ended.abort();
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    this.#disposables.push({ dispose: () => signal.removeEventListener('abort', end) });
    this.#disposables.push(clock.setTimeout(end, MOST_MS));
  }

  dispose(): void {
    for (const each of this.#disposables) each.dispose();
  }

  get elapsedMs(): number {
    return this.#request.clock.elapsed() - this.#startedMs;
  }

  get usage(): HlsFacts['usage'] {
    return { requests: this.#requests, bytes: this.#bytes, ms: this.elapsedMs };
  }

  get #isSpent(): boolean {
    const isOut = this.#requests + MOST_REQUESTS_AT_ONCE > MOST_REQUESTS || this.#bytes >= MOST_BYTES;
    return isOut || this.#ended.signal.aborted;
  }

  /** Returns false if no time is left for another request. */
  async pause(ms: number): Promise<boolean> {
    if (this.elapsedMs + ms >= MOST_MS) return false;
    try {
      await delay(this.#request.clock, ms, this.#ended.signal);
      return true;
    } catch (error) {
      this.#request.signal.throwIfAborted();
      if (isAbortError(error)) return false;
      throw error;
    }
  }

  /** `playlist`: undefined if there is none to read. */
  async playlist(url: string): Promise<{
    readonly exchange: Exchange;
    readonly playlist: MasterPlaylist | MediaPlaylist | PlaylistFault | undefined;
  }> {
    const chunks: Uint8Array[] = [];
    const accept = 'application/vnd.apple.mpegurl, application/x-mpegurl, */*';
    const exchange = await this.#get(url, {
      headers: { accept },
      most: MOST_PLAYLIST_BYTES,
      onChunk: (chunk) => chunks.push(chunk),
    });
    if (exchange.kind !== 'answer' || !hasSucceeded(exchange)) return { exchange, playlist: undefined };
    if (exchange.isCut && this.#isSpent) return { exchange: { kind: 'unspent' }, playlist: undefined };
    if (exchange.isCut) return { exchange, playlist: { kind: 'fault', fault: 'tooMany' } };
    const source = { url: exchange.url, imported: this.variables };
    return { exchange, playlist: parsePlaylist(new TextDecoder().decode(Buffer.concat(chunks)), source) };
  }

  segment(url: string, range: ByteRange | undefined): Promise<Exchange> {
    const last = range && range.offset + range.length - 1;
    return this.#get(url, {
      headers: range === undefined ? { accept: '*/*' } : { accept: '*/*', range: `bytes=${range.offset}-${last}` },
      most: MOST_SEGMENT_BYTES,
    });
  }

  #check(url: string): CheckedUrl {
    return checkMediaUrl(url, { baseUrl: this.#request.url });
  }

  async #get(url: string, wanted: Wanted): Promise<Exchange> {
    if (this.#isSpent) return { kind: 'unspent' };
    const checked = this.#check(url);
    if (!checked.ok) return { kind: 'failure', sentence: describeAddressFault(checked.fault, 'service') };
    const deadline = createDeadline(this.#request.clock, MOST_REQUEST_MS, this.#ended.signal);
    const { signal } = deadline;
    try {
      return await this.#follow(checked.url, { ...wanted, signal });
    } catch (error) {
      this.#request.signal.throwIfAborted();
      // The transport was disposed because the window is closing.
      if (isAbortError(error) && !signal.aborted) throw error;
      return failureOf(error, new URL(checked.url).host);
    } finally {
      deadline.dispose();
    }
  }

  async #follow(url: string, wanted: Wanted & { readonly signal: AbortSignal }): Promise<Exchange> {
    const { clock } = this.#request;
    const startedMs = clock.elapsed();
    const hops: Hop[] = [];
    const followed = await followRedirects(url, {
      check: (next) => this.#check(next),
      open: async (next) => {
        const response = await this.#open(next, wanted);
        hops.push({ host: new URL(next).host, allowedOrigin: response.headers['access-control-allow-origin'] });
        return response;
      },
      discard: (response) => response.dispose(),
      connection: { baseUrl: this.#request.url },
    });
    if (followed.kind === 'refused') return refused(followed.fault, 'redirect');
    if (followed.kind === 'tooMany') return { kind: 'failure', sentence: tooManyRedirects() };
    const { response } = followed;
    const { status, headers, firstByteMs } = response;
    const body = await this.#read(response, wanted);
    const endedMs = this.elapsedMs;
    const { host } = new URL(followed.url);
    const answer = { kind: 'answer', url: followed.url, host, status, headers, hops, firstByteMs, ...body } as const;
    return { ...answer, endedMs, totalMs: clock.elapsed() - startedMs, receivedAt: clock.now() };
  }

  async #open(url: string, { headers, signal }: Wanted & { readonly signal: AbortSignal }) {
    const { clock, downloads } = this.#request;
    const startedMs = clock.elapsed();
    this.#requests += 1;
    const response = await downloads.download({ url, headers: { ...headers, origin: FOREIGN_ORIGIN }, signal });
    return { ...response, firstByteMs: clock.elapsed() - startedMs };
  }

  async #read(
    response: DownloadResponse,
    { most, onChunk }: Wanted,
  ): Promise<{ bytes: number | undefined; isCut: boolean }> {
    let bytes = 0;
    try {
      for await (const chunk of response.body) {
        bytes += chunk.byteLength;
        this.#bytes += chunk.byteLength;
        if (bytes > most || this.#bytes >= MOST_BYTES) return { bytes: announcedBytes(response), isCut: true };
        onChunk?.(chunk);
      }
      return { bytes, isCut: false };
    } finally {
      response.dispose();
    }
  }
}

interface Wanted {
  readonly headers: Readonly<Record<string, string>>;
  readonly most: number;
  readonly onChunk?: (chunk: Uint8Array) => void;
}

export function hasSucceeded({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

function announcedBytes({ headers }: DownloadResponse): number | undefined {
  const length = headers['content-length'] ?? '';
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

function refused(fault: Parameters<typeof describeAddressFault>[0], source: AddressSource): Failure {
  return { kind: 'failure', sentence: describeAddressFault(fault, source) };
}

export function tooManyRedirects(): string {
  return t('Too many redirects.');
}

function failureOf(error: unknown, host: string): Failure {
  const kind = 'failure';
  if (isAbortError(error)) return { kind, sentence: t('{0} took too long to respond.', host) };
  if (!isApiError(error)) throw error;
  if (error.why === 'redirect') return { kind, sentence: tooManyRedirects() };
  const sentence = describeError(error, { service: error.host ?? host });
  return { kind, sentence, saysWhatToDo: error.why !== 'reset' };
}
