import { type Answer, empty, failure } from './answer.ts';
import { broadcastTime } from './broadcasts.ts';
import type { DemoRequest } from './demoContract.ts';
import { type MediaFiles, RENDITIONS, type RenditionName, SEGMENT_COUNT } from './mediaFiles.ts';
import { livePlaylist, masterPlaylist, recordingPlaylist } from './playlists.ts';
import { answerFile } from './ranges.ts';
import type { World } from './world.ts';

const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';
/** Lets any page play the media, including cross-origin isolated webviews. */
const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'content-length, content-range, etag',
  'cross-origin-resource-policy': 'cross-origin',
};

export interface Media {
  readonly world: World;
  readonly files: MediaFiles;
}

/** Answers requests for media, without a key. Returns undefined for other paths. */
export async function answerMedia(media: Media, request: DemoRequest): Promise<Answer | undefined> {
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

type Folder = (media: Media, request: DemoRequest, path: MediaPath) => Promise<Answer | undefined>;

const FOLDERS: Readonly<Record<string, Folder>> = {
  hls: answerLive,
  recordings: answerRecording,
  segments: (media, request, { id }) => answerSegment(media, request, id),
};

function preflight(): Answer {
  return empty(204, {
    ...OPEN_TO_ALL,
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-private-network': 'true',
    'access-control-allow-headers': 'range, if-none-match, if-range, cache-control',
  });
}

async function answerLive(
  { world, files }: Media,
  request: DemoRequest,
  { id, file }: MediaPath,
): Promise<Answer | undefined> {
  const stream = [...world.streams.values()].find((it) => it.playbackId === id);
  const elapsed = stream && broadcastTime(world, stream);
  if (elapsed === undefined) return undefined;
  if (file === 'index.m3u8') return playlist(masterPlaylist(request.query));
  if (file === 'thumbnails/latest.jpg') return answerFile(request, await files.thumbnail(), 'image/jpeg');
  const rendition = renditionOf(file);
  return rendition && playlist(livePlaylist(rendition, '../../segments', elapsed));
}

async function answerRecording(
  { world, files }: Media,
  request: DemoRequest,
  { id, file }: MediaPath,
): Promise<Answer | undefined> {
  const session = world.sessions.get(id);
  if (session?.recordingUrl === undefined) return undefined;
  const signature = world.signatures.get(id);
  if (signature !== undefined && request.query !== signature) return failure(403, 'The signature does not fit');
  if (file === 'index.m3u8') return playlist(masterPlaylist(request.query));
  if (file === 'source.mp4')
    return session.mp4Url === undefined ? undefined : answerFile(request, await files.mp4(), 'video/mp4');
  const rendition = renditionOf(file);
  return rendition && playlist(recordingPlaylist(rendition, '../../segments'));
}

async function answerSegment({ files }: Media, request: DemoRequest, name: string): Promise<Answer | undefined> {
  const [, rendition, number] = /^(high|low)(\d)\.ts$/.exec(name) ?? [];
  const known = RENDITIONS.find((it) => it.name === rendition);
  if (!known || Number(number) >= SEGMENT_COUNT) return undefined;
  return answerFile(request, await files.segment(known.name, Number(number)), 'video/mp2t');
}

function playlist(text: string): Answer {
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
