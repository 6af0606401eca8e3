import { createCipheriv } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inProject } from '../projectFolder.ts';
import { fragmentClip } from './fragmentedMedia.ts';
import { type MediaServer, masterOf, playlistOf, readSegment } from './mediaServer.ts';

/** The demo's clip in the formats in which it is served: paths without `.m3u8`, and what is there. */
export const RECORDED = {
  ts: 'MPEG-TS',
  encrypted: 'MPEG-TS that is encrypted',
  fmp4: 'fMP4 with both in a segment',
  turned: 'fMP4 with sound before picture',
  renditions: 'fMP4 with renditions that number their tracks differently',
  group: 'fMP4 with sound in a group of its own',
} as const;
export const BROADCAST = { 'live-ts': RECORDED.ts, 'live-fmp4': RECORDED.fmp4, 'live-group': RECORDED.group } as const;
/** Without a picture. */
export const SOUND_ALONE = ['sound', 'radio', 'live-sound'] as const;

const SEGMENTS = [0, 1, 2, 3, 4, 5];
const GROUP = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",DEFAULT=YES,AUTOSELECT=YES,URI="sound.m3u8"';
/** How often a broadcast gets a segment. */
export const NEXT_SEGMENT_MS = 2000;

/** Serves all of these, and `/clip.mp4`. */
export async function serveFormats(media: MediaServer): Promise<void> {
  await Promise.all([
    ...[serveTs(media), serveEncrypted(media), serveSoundAlone(media)],
    serveFragments(media, 'fmp4', ['video', 'audio']),
    serveFragments(media, 'turned', ['audio', 'video']),
    serveFragments(media, 'picture', ['video']),
  ]);
  serveMasters(media);
  media.serve('/clip.mp4', { type: 'video/mp4', body: await readFile(inProject('media/demo/source.mp4')) });
}

export async function serveTs(media: MediaServer): Promise<void> {
  for (const number of SEGMENTS)
    media.serve(`/ts${number}.ts`, { type: 'video/mp2t', body: await readSegment(number) });
  const segments = SEGMENTS.map((number) => `ts${number}.ts`);
  servePlaylists(media, 'ts', segments);
}

/** Serves `/NAME.m3u8` with segments of its own. */
export async function serveFragments(
  media: MediaServer,
  name: string,
  tracks: Parameters<typeof fragmentClip>[0],
): Promise<void> {
  const { init, segments } = await fragmentClip(tracks);
  media.serve(`/${name}-init.mp4`, { type: 'video/mp4', body: init });
  for (const [number, body] of segments.entries()) {
    media.serve(`/${name}${number}.m4s`, { type: 'video/iso.segment', body });
  }
  const names = segments.map((_, number) => `${name}${number}.m4s`);
  servePlaylists(media, name, names, [`#EXT-X-MAP:URI="${name}-init.mp4"`]);
}

export async function serveSoundAlone(media: MediaServer): Promise<void> {
  await serveFragments(media, 'sound', ['audio']);
  const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2"\nsound.m3u8\n';
  media.serve('/radio.m3u8', { body: master });
}

async function serveEncrypted(media: MediaServer): Promise<void> {
  const key = Buffer.from('sixteen bytes, a');
  const iv = Buffer.alloc(16, 7);
  media.serve('/key', { type: 'application/octet-stream', body: key });
  for (const number of SEGMENTS) {
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    const body = Buffer.concat([cipher.update(await readSegment(number)), cipher.final()]);
    media.serve(`/encrypted${number}.ts`, { type: 'video/mp2t', body });
  }
  const tag = `#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x${iv.toString('hex')}`;
  const segments = SEGMENTS.map((number) => `encrypted${number}.ts`);
  servePlaylists(media, 'encrypted', segments, [tag]);
}

/** A master playlist whose renditions number their tracks differently, and one with a group of sound. */
function serveMasters(media: MediaServer): void {
  media.serve('/renditions.m3u8', { body: masterOf(['fmp4.m3u8', 'turned.m3u8']) });
  for (const prefix of ['', 'live-']) {
    const [, , rendition = '', address = ''] = masterOf([`${prefix}picture.m3u8`]).split('\n');
    const lines = ['#EXTM3U', '#EXT-X-VERSION:7', GROUP.replace('sound.', `${prefix}sound.`)];
    const body = [...lines, `${rendition},AUDIO="a"`, address, ''].join('\n');
    media.serve(`/${prefix}group.m3u8`, { body });
  }
}

/** Serves a playlist as a recording, at `/NAME.m3u8`, and as a broadcast that goes on, at `/live-NAME.m3u8`. */
function servePlaylists(media: MediaServer, name: string, segments: readonly string[], head: readonly string[] = []) {
  const write = (count: number) =>
    playlistOf(segments.slice(0, count))
      .replace('VERSION:3', 'VERSION:7')
      .replace('#EXT-X-TARGETDURATION', `${head.map((line) => `${line}\n`).join('')}#EXT-X-TARGETDURATION`);
  media.serve(`/${name}.m3u8`, { body: write(segments.length) });
  let startedAt: number | undefined;
  media.serve(`/live-${name}.m3u8`, (_request, response) => {
    startedAt ??= performance.now();
    const count = 3 + Math.floor((performance.now() - startedAt) / NEXT_SEGMENT_MS);
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' });
    response.end(write(count).replace('#EXT-X-ENDLIST\n', ''));
  });
}
