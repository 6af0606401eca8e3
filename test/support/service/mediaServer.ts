import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMediaFiles } from '../../../src/demo/site.ts';
import { inProject } from '../projectFolder.ts';

export type MediaAnswer =
  | {
      readonly status?: number;
      readonly type?: string;
      readonly body?: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** A server of media that does as it is told, on a free port of 127.0.0.1. */
export interface MediaServer {
  readonly origin: string;
  /** Paths that were asked for, with their queries, in order. */
  readonly requests: readonly string[];
  /** The keys that came along, if any did. */
  readonly keys: readonly string[];
  serve(path: string, answer: MediaAnswer): void;
  close(): void;
}

export const PLAYLIST = 'application/vnd.apple.mpegurl';
export const SEGMENT_SECONDS = 2;

/** @param hasCors whether any page may read what it sends */
export async function startMediaServer({ hasCors = false } = {}): Promise<MediaServer> {
  const answers = new Map<string, MediaAnswer>();
  const requests: string[] = [];
  const keys: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (hasCors) response.setHeader('access-control-allow-origin', '*');
    if (request.headers.authorization !== undefined) keys.push(request.headers.authorization);
    const answer = answers.get((request.url ?? '').split('?')[0] ?? '') ?? { status: 404 };
    if (typeof answer === 'function') return answer(request, response);
    response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? PLAYLIST, ...answer.headers });
    response.end(answer.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    keys,
    serve: (path, answer) => void answers.set(path, answer),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Two seconds of picture and sound. */
export function readSegment(number: number): Promise<Uint8Array> {
  return openMediaFiles(inProject('media/demo')).part(`stage/high${number}.ts`);
}

/** A recording's playlist over the given segments. */
export function playlistOf(segments: readonly string[]): string {
  const lines = segments.flatMap((segment) => [`#EXTINF:${SEGMENT_SECONDS.toFixed(3)},`, segment]);
  return ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:3', ...lines, '#EXT-X-ENDLIST', ''].join('\n');
}

/** A playlist that names renditions. */
export function masterOf(renditions: readonly string[]): string {
  const lines = renditions.flatMap((uri, index) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${300_000 * (index + 1)},RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2"`,
    uri,
  ]);
  return ['#EXTM3U', '#EXT-X-VERSION:3', ...lines, ''].join('\n');
}
