import type { MediaServer } from '../service/mediaServer.ts';
import { type BeepStream, CLIP_SECONDS, makeBeepClip, makeBeepStream, writePlaylist } from './beepClips.ts';
import { type FixtureName, fixtureOf, readFixture } from './fixtures.ts';
import { splitFragments } from './fragments.ts';

/** Serves the files of a stream; what is to be played is `/NAME/index.m3u8`. */
export async function serveBeepStream(media: MediaServer, name: string, stream: BeepStream): Promise<void> {
  for (const [file, body] of await makeBeepStream(stream)) {
    media.serve(`/${name}/${file}`, typeof body === 'string' ? { body } : { type: 'application/octet-stream', body });
  }
}

/** Serves sound alone, at `/NAME/index.m3u8`. */
export function serveFixture(media: MediaServer, name: FixtureName): void {
  const { seconds, fragmentMs } = fixtureOf(name);
  const [init, ...fragments] = splitFragments(readFixture(name));
  const serve = (file: string, body: Uint8Array | undefined): void =>
    media.serve(`/${name}/${file}`, { type: 'audio/mp4', body: body ?? '' });
  serve('init.mp4', init);
  for (const [at, fragment] of fragments.entries()) serve(`${at}.m4s`, fragment);
  // What the encoder adds at the end makes a short fragment.
  const lengthOf = (at: number): number =>
    Math.max(0.05, Math.min(fragmentMs, seconds * 1000 - at * fragmentMs) / 1000);
  const lines = fragments.flatMap((_, at) => [`#EXTINF:${lengthOf(at).toFixed(3)},`, `${at}.m4s`]);
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:2', '#EXT-X-MAP:URI="init.mp4"'];
  media.serve(`/${name}/index.m3u8`, { body: [...head, ...lines, '#EXT-X-ENDLIST', ''].join('\n') });
}

/** Segments of a broadcast's playlist: what can be watched again of it. */
const WINDOW = 8;

/** Serves a broadcast at `/NAME/index.m3u8`, which begins with the first request and goes on until the server closes. */
export function serveBeepBroadcast(
  media: MediaServer,
  name: string,
  stream: Pick<BeepStream, 'container' | 'channels'>,
): void {
  const type = stream.container === 'ts' ? 'ts' : 'm4s';
  const serve = (file: string, clip: number, part: 'init' | 'segment'): void =>
    media.serve(`/${name}/${file}`, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      makeBeepClip(stream, clip).then(
        (made) => response.end(made[part]),
        (error: Error) => response.destroy(error),
      );
    });
  if (stream.container === 'fmp4') serve('index.mp4', 0, 'init');
  let startedAt: number | undefined;
  let served = 0;
  media.serve(`/${name}/index.m3u8`, (_, response) => {
    startedAt ??= performance.now();
    const to = WINDOW + Math.floor((performance.now() - startedAt) / 1000 / CLIP_SECONDS);
    for (; served < to; served++) serve(`index${served}.${type}`, served, 'segment');
    const options = { name: 'index', type, hasInit: stream.container === 'fmp4', isLive: true } as const;
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' });
    response.end(writePlaylist({ ...options, from: to - WINDOW, to }));
  });
}
