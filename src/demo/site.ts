import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, brotliDecompressSync } from 'node:zlib';
import { t } from '@vscode/l10n';
import { escapeHtml, isBlank } from '../util/text.ts';
import { isAllowedOrigin, mayWatch, needsToken, passTokenOn } from './access.ts';
import { CLIP_SIZES } from './clipSizes.ts';
import type { DemoSession, DemoState, DemoStream, Feed, Scene } from './demoState.ts';
import {
  answerFile,
  answerRange,
  type DemoRequest,
  type DemoResponse,
  empty,
  failure,
  type StreamedResponse,
} from './http.ts';
import type { CutFile } from './ingest/excerpts.ts';
import { assemble } from './ingest/playlists.ts';
import type { DemoRecordings, Recording } from './ingest/recordings.ts';
import type { SampleMovie } from './sampleMovie.ts';
import { broadcastTime, noteWatched, SEGMENT_MS } from './simulation.ts';
import type { WebhookSender } from './webhooks.ts';

const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';
const MP4_TYPE = 'video/mp4';
// Lets any page play the media, including cross-origin isolated webviews.
const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'content-length, content-range, etag',
  'cross-origin-resource-policy': 'cross-origin',
};

export interface Media {
  readonly state: DemoState;
  readonly files: MediaFiles;
  /** Recordings of broadcasts that were sent to the demo. */
  readonly recordings: DemoRecordings;
  /** The movie that simulated broadcasts repeat. */
  readonly movie: () => SampleMovie;
  /** These decide who may watch a stream whose policy names a webhook. */
  readonly webhooks: WebhookSender;
}

export async function answerMedia(media: Media, request: DemoRequest): Promise<StreamedResponse | undefined> {
  const [folder, id = '', ...file] = request.path.slice(1).split('/');
  const open = folder !== undefined && Object.hasOwn(FOLDERS, folder) ? FOLDERS[folder] : undefined;
  if (!open) return undefined;
  if (request.method === 'OPTIONS') return preflight();
  const found = (await open(media, request, { id: decode(id), file: file.join('/') })) ?? failure(404, 'Not found');
  return { ...found, headers: { ...found.headers, ...OPEN_TO_ALL } };
}

interface MediaPath {
  readonly id: string;
  readonly file: string;
}

type Folder = (media: Media, request: DemoRequest, path: MediaPath) => Promise<StreamedResponse | undefined>;

const FOLDERS: Readonly<Record<string, Folder>> = {
  hls: answerLive,
  dvr: answerDvr,
  recordings: answerRecording,
  segments: (media, request, { id, file }) => answerSegment(media, request, `${id}/${file}`),
  clips: answerClip,
};

function preflight(): DemoResponse {
  return empty(204, {
    ...OPEN_TO_ALL,
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-private-network': 'true',
    'access-control-allow-headers': 'range, if-none-match, if-range, cache-control, livepeer-jwt, livepeer-access-key',
  });
}

async function answerLive(
  media: Media,
  request: DemoRequest,
  { id, file }: MediaPath,
): Promise<StreamedResponse | undefined> {
  const stream = [...media.state.streams.values()].find((it) => it.playbackId === id);
  return stream && guard(media, { stream, request }, (inner) => answerLiveFile(media, stream, [inner, file]));
}

async function answerLiveFile(
  { state, files }: Media,
  stream: DemoStream,
  [request, file]: readonly [DemoRequest, file: string],
): Promise<DemoResponse | undefined> {
  const feed = state.broadcasts.get(stream.id)?.feed;
  if (feed) return answerFeed(feed, request, file);
  const elapsed = broadcastTime(state, stream);
  if (elapsed === undefined) return undefined;
  if (file === 'index.m3u8') return playlist(masterPlaylist(stream, request.query));
  if (file === 'thumbnails/latest.jpg')
    return answerFile(request, await files.part(`${sceneOf(state, stream.id)}/thumbnail.jpg`), 'image/jpeg');
  const rendition = renditionOf(file);
  if (rendition) noteWatched(state, stream);
  return rendition && playlist(livePlaylist(rendition, segmentsOf(state, stream.id), elapsed));
}

/** Responds to a request for media of a stream, if the viewer may watch it. */
async function guard(
  media: Media,
  { stream, request }: { readonly stream: DemoStream; readonly request: DemoRequest },
  answer: (request: DemoRequest) => Promise<StreamedResponse | undefined>,
): Promise<StreamedResponse | undefined> {
  if (!isAllowedOrigin(stream, request)) return failure(403, 'Content is gated and origin not in allowed origins');
  if (!needsToken(stream)) return answer(request);
  if (!(await mayWatch(media, stream, request))) return failure(403, 'Only viewers with a token may watch');
  const found = await answer({ ...request, query: '' });
  const isPlaylist = found?.headers['content-type'] === PLAYLIST_TYPE;
  return isPlaylist && typeof found?.body === 'string'
    ? { ...found, body: passTokenOn(found.body, stream, request) }
    : found;
}

function answerFeed(feed: Feed, request: DemoRequest, file: string): DemoResponse | undefined {
  const found = feed.read(file);
  if (found === undefined) return undefined;
  return found.type === 'playlist' ? playlist(found.body) : answerFile(request, found.body, MP4_TYPE);
}

/** Responds with a broadcast from its beginning, during the broadcast and afterwards for players still watching it. */
async function answerDvr(
  media: Media,
  request: DemoRequest,
  { id, file }: MediaPath,
): Promise<StreamedResponse | undefined> {
  const session = media.state.sessions.get(id);
  const stream = media.state.streams.get(session?.parentId ?? '');
  if (session?.record !== true || stream === undefined) return undefined;
  return guard(media, { stream, request }, (inner) => answerDvrFile(media, { stream, session }, [inner, file]));
}

async function answerDvrFile(
  { state, recordings }: Media,
  { stream, session }: { readonly stream: DemoStream; readonly session: DemoSession },
  [request, file]: readonly [DemoRequest, file: string],
): Promise<StreamedResponse | undefined> {
  const { id } = session;
  const recording = recordings.get(id);
  if (recording) return answerStored(recording, request, file);
  if (file === 'index.m3u8') return playlist(masterPlaylist(session, request.query));
  const rendition = renditionOf(file);
  if (rendition === undefined) return undefined;
  const isRunning = state.broadcasts.get(stream.id)?.sessionId === id;
  const elapsed = isRunning ? broadcastTime(state, stream) : undefined;
  if (elapsed === undefined) return playlist(recordingPlaylist(rendition, segmentsOf(state, stream.id), session));
  noteWatched(state, stream);
  return playlist(growingPlaylist(rendition, segmentsOf(state, stream.id), elapsed));
}

async function answerRecording(
  media: Media,
  request: DemoRequest,
  { id, file }: MediaPath,
): Promise<StreamedResponse | undefined> {
  const { state, recordings } = media;
  const session = state.sessions.get(id);
  if (session?.recordingUrl === undefined) return undefined;
  const signature = state.signatures.get(id);
  if (signature !== undefined && request.query !== signature) return failure(403, 'The signature does not fit');
  if (file === 'source.mp4' && session.mp4Url === undefined) return undefined;
  const recording = recordings.get(id);
  if (recording) return answerStored(recording, request, file);
  if (file === 'index.m3u8')
    return playlist(masterPlaylist({ profiles: recordedProfiles(state, session) }, request.query));
  if (file === 'source.mp4') return answerRange(request, { ...wholeMovie(media, session), type: MP4_TYPE });
  const rendition = renditionOf(file);
  return rendition && playlist(recordingPlaylist(rendition, segmentsOf(state, session.parentId), session));
}

/** Cached: making a long movie for each request would hold up other requests. */
const wholeMovies = new WeakMap<DemoSession, CutFile>();

/** Returns a movie as long as the recording's playlist. */
function wholeMovie({ movie }: Media, session: DemoSession): CutFile {
  const seconds = (recordedSegments(session) * SEGMENT_MS) / 1000;
  const known = wholeMovies.get(session);
  if (known?.seconds === seconds) return known;
  const made = movie().cut({ from: 0, to: seconds });
  wholeMovies.set(session, made);
  return made;
}

/** A stream may have separate renditions for its recordings. */
function recordedProfiles({ streams }: DemoState, { parentId, profiles }: DemoSession): readonly unknown[] {
  return streams.get(parentId)?.recordingSpec?.profiles ?? profiles;
}

async function answerClip({ state }: Media, request: DemoRequest, { id, file }: MediaPath) {
  const stored = file === 'source.mp4' ? state.clips.get(id)?.file : undefined;
  return stored && answerRange(request, { ...stored, type: MP4_TYPE });
}

function answerStored(recording: Recording, request: DemoRequest, file: string): StreamedResponse | undefined {
  const list = recording.playlist(file);
  if (list !== undefined) return playlist(list);
  const stored = recording.file(file);
  return stored && answerRange(request, { ...stored, type: MP4_TYPE });
}

async function answerSegment({ files }: Media, request: DemoRequest, name: string): Promise<DemoResponse | undefined> {
  if (!name.endsWith('.ts') || !Object.hasOwn(CLIP_SIZES, name)) return undefined;
  return answerFile(request, await files.part(name), 'video/mp2t');
}

function playlist(text: string): DemoResponse {
  return { status: 200, headers: { 'content-type': PLAYLIST_TYPE, 'cache-control': 'no-cache' }, body: text };
}

function renditionOf(file: string): RenditionName | undefined {
  return RENDITIONS.find(({ name }) => file === `${name}.m3u8`)?.name;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

const WINDOW = 6;
// Players wait for three segments before they start. A broadcast that has just begun has these immediately.
export const HEAD_START = 3;
const TARGET_SECONDS = 3;
// 24 hours.
const MOST_SEGMENTS = 86_400_000 / SEGMENT_MS;

// Lists only the source if there are no profiles. Appends the query to the renditions, because signed URLs need it.
function masterPlaylist({ profiles }: { readonly profiles: readonly unknown[] }, query: string): string {
  const suffix = query === '' ? '' : `?${query}`;
  const played = profiles.length === 0 ? RENDITIONS.slice(0, 1) : RENDITIONS;
  const lines = played.flatMap(({ name, profile: { width, height, bitrate } }) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${bitrate},RESOLUTION=${width}x${height},FRAME-RATE=15.000,CODECS="avc1.4d401e,mp4a.40.2"`,
    `${name}.m3u8${suffix}`,
  ]);
  return assemble(['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines]);
}

/** Returns the number of the broadcast's segments, at least one round. */
export function recordedSegments({ createdAt, lastSeen }: DemoSession): number {
  return Math.min(Math.max(Math.floor((lastSeen - createdAt) / SEGMENT_MS), SEGMENT_COUNT), MOST_SEGMENTS);
}

function recordingPlaylist(rendition: RenditionName, folder: string, session: DemoSession): string {
  const segments = repeatedSegments(rendition, folder, [0, recordedSegments(session)]);
  return assemble([...mediaHead(0), '#EXT-X-PLAYLIST-TYPE:VOD', ...segments, '#EXT-X-ENDLIST']);
}

function growingPlaylist(rendition: RenditionName, folder: string, elapsed: number): string {
  const end = Math.min(Math.floor(elapsed / SEGMENT_MS) + HEAD_START, MOST_SEGMENTS);
  return assemble([...mediaHead(0), '#EXT-X-PLAYLIST-TYPE:EVENT', ...repeatedSegments(rendition, folder, [0, end])]);
}

function livePlaylist(rendition: RenditionName, folder: string, elapsed: number): string {
  const end = Math.floor(elapsed / SEGMENT_MS) + HEAD_START;
  const first = Math.max(0, end - WINDOW);
  const round = `#EXT-X-DISCONTINUITY-SEQUENCE:${Math.floor(first / SEGMENT_COUNT)}`;
  return assemble([...mediaHead(first), round, ...repeatedSegments(rendition, folder, [first, end])]);
}

/** The same segments repeat, each round after a discontinuity: segment n is in round floor(n / 6). */
function repeatedSegments(
  rendition: RenditionName,
  folder: string,
  [first, end]: readonly [number, number],
): readonly string[] {
  const lines: string[] = [];
  for (let number = first; number < end; number++) {
    if (number > first && number % SEGMENT_COUNT === 0) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(`#EXTINF:${(SEGMENT_MS / 1000).toFixed(3)},`, `${folder}/${rendition}${number % SEGMENT_COUNT}.ts`);
  }
  return lines;
}

function mediaHead(sequence: number): readonly string[] {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${TARGET_SECONDS}`,
    `#EXT-X-MEDIA-SEQUENCE:${sequence}`,
  ];
}

/** The renditions of simulated broadcasts, best first, with their profiles in streams. */
export const RENDITIONS = [
  { name: 'high', profile: { name: '360p0', fps: 0, bitrate: 90_000, width: 640, height: 360, profile: 'H264Main' } },
  { name: 'low', profile: { name: '180p0', fps: 0, bitrate: 50_000, width: 320, height: 180, profile: 'H264Main' } },
] as const;

export const SEGMENT_COUNT = 6;

type RenditionName = (typeof RENDITIONS)[number]['name'];

function segmentsOf(state: DemoState, streamId: string): string {
  return `../../segments/${sceneOf(state, streamId)}`;
}

function sceneOf(state: DemoState, streamId: string): Scene {
  return state.scenes.get(streamId) ?? 'stage';
}

interface MediaFiles {
  /** Rejects for names that aren't in CLIP_SIZES. */
  part(name: string): Promise<Buffer>;
}

const CLIPS = 'clips.bin.br';

export function openMediaFiles(root: string): MediaFiles {
  let clips: Promise<Buffer> | undefined;
  return {
    async part(name) {
      clips ??= readFile(join(root, CLIPS)).then(promisify(brotliDecompress));
      return cutPart(await clips, name);
    },
  };
}

/** Returns the movie for recordings of simulated broadcasts. */
export function readMovie(root: string): Buffer {
  return cutPart(brotliDecompressSync(readFileSync(join(root, CLIPS))), 'recording.mp4');
}

function cutPart(clips: Buffer, wanted: string): Buffer {
  let start = 0;
  for (const [name, size] of Object.entries(CLIP_SIZES)) {
    if (name === wanted) return clips.subarray(start, start + size);
    start += size;
  }
  throw new Error(`There is no ${wanted}`);
}

const STYLE = `body{margin:0;padding:2rem;font:16px/1.5 system-ui,sans-serif;background:#15202b;color:#e8eef2}
main{max-width:60rem;margin:auto}video{width:100%;background:#000}a{color:#7fd1ae}h1{font-size:1.3rem;overflow-wrap:anywhere}
td,th{padding:.2rem 1rem .2rem 0;text-align:start;overflow-wrap:anywhere}td{white-space:nowrap}`;

/** Returns the pages that commands open in a browser; undefined for other paths. They run no script. */
export function answerBrowserPage(state: DemoState, request: DemoRequest): DemoResponse | undefined {
  const query = new URLSearchParams(request.query);
  if (request.path === '/player') return page(t('Demo player'), playerBody(state, query));
  if (request.path === '/' || request.path === '/dashboard')
    return page(t('Demo dashboard'), dashboardBody(state, query.get('stream')));
  if (request.path === '/dashboard/keys') {
    return page(
      t('Demo dashboard'),
      paragraph(t('The demo creates its own API key and discards it when its window closes.')),
    );
  }
  return undefined;
}

export function notFoundPage(): DemoResponse {
  return { ...page(t('Demo dashboard'), '<h1>404</h1>'), status: 404 };
}

function page(title: string, body: string): DemoResponse {
  const nonce = randomBytes(16).toString('base64url');
  const policy = `default-src 'none'; media-src 'self'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    body: `<!doctype html><html><head>${head}<style nonce="${nonce}">${STYLE}</style></head><body><main>${body}</main></body></html>`,
  };
}

function playerBody(state: DemoState, query: URLSearchParams): string {
  const playbackId = query.get('v');
  if (playbackId !== null) return livePlayer(state, playbackId, query.get('jwt'));
  return recordingPlayer(state, query.get('url') ?? '');
}

function livePlayer(state: DemoState, playbackId: string, token: string | null): string {
  const stream = [...state.streams.values()].find((it) => it.playbackId === playbackId);
  if (!stream) return paragraph(t('No stream has the playback ID "{0}".', playbackId));
  const heading = `<h1 dir="auto">${escapeHtml(isBlank(stream.name) ? stream.id : stream.name)}</h1>`;
  if (!stream.isActive) return heading + paragraph(t("This stream isn't live."));
  if (needsToken(stream) && token === null) {
    return heading + paragraph(t('Only viewers with a token can watch this stream.'));
  }
  const query = token === null ? '' : `?${new URLSearchParams({ jwt: token })}`;
  return heading + video([`hls/${encodeURIComponent(playbackId)}/index.m3u8${query}`]);
}

// Plays only this service's recordings. Their URLs become relative, to work through a forwarded port too.
function recordingPlayer(state: DemoState, url: string): string {
  const prefix = `${state.origin}/recordings/`;
  const relative = url.startsWith(prefix) ? url.slice(state.origin.length + 1) : undefined;
  if (relative === undefined) return paragraph(t("This player plays only the demo's own recordings."));
  const heading = `<h1>${escapeHtml(t('Recording'))}</h1>`;
  return heading + video([relative, relative.replace('/index.m3u8', '/source.mp4')]);
}

function video(sources: readonly string[]): string {
  const elements = sources.map((source) => {
    const type = source.includes('.m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp4';
    return `<source src="${escapeHtml(source)}" type="${type}">`;
  });
  const link = `<a href="${escapeHtml(sources[0] ?? '')}">${escapeHtml(t('Open the HLS playlist'))}</a>`;
  return `<video controls autoplay muted loop playsinline>${elements.join('')}</video><p>${link}</p>`;
}

function dashboardBody(state: DemoState, id: string | null): string {
  const stream = state.streams.get(id ?? '');
  const heading = `<h1>${escapeHtml(t('Demo dashboard'))}</h1>`;
  if (id !== null && !stream) return heading + paragraph(t('This stream no longer exists.'));
  const streams = stream
    ? [stream]
    : [...state.streams.values()].filter((it) => it.parentId === undefined).slice(0, 100);
  return `${heading}<table>${streams.map(dashboardRow).join('')}</table>`;
}

function dashboardRow(stream: DemoStream): string {
  const state = stream.isActive ? t('live') : stream.suspended ? t('suspended') : t('idle');
  return `<tr><th dir="auto">${escapeHtml(isBlank(stream.name) ? stream.id : stream.name)}</th><td>${escapeHtml(state)}</td></tr>`;
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}
