import { isLoopback, reachesThisMachine } from '../../api/loopback.ts';
import type { AddressTemplates } from '../../services.ts';
import { isRecord } from '../../util/isRecord.ts';
import { checkMediaUrl } from '../addresses.ts';

/** The URLs that a service can provide itself. */
export type SaidTemplates = Pick<AddressTemplates, 'rtmp' | 'srt' | 'hls'>;

/**
 * Returns templates from the response to GET /ingest (src/api/README.md, Addresses). Leaves out unusable URLs, and
 * those on this machine if the service isn't on it. Returns `before` if the response has none.
 */
export function templatesSaid(answer: unknown, baseUrl: string, before: SaidTemplates = {}): SaidTemplates {
  const [first] = Array.isArray(answer) ? answer.filter(isRecord) : [];
  if (first === undefined) return before;
  const ingests = isRecord(first.ingests) ? first.ingests : {};
  const rtmp = ingestUrl(ingests.rtmp ?? first.ingest, /^rtmps?:$/, baseUrl);
  const srt = ingestUrl(ingests.srt, /^srt:$/, baseUrl);
  const hls = checkMediaUrl(typeof first.playback === 'string' ? first.playback : undefined, { baseUrl });
  return {
    ...(rtmp !== undefined && { rtmp: `${withoutEnd(rtmp.href)}/{streamKey}` }),
    ...(srt !== undefined && { srt: `${withoutEnd(srt.href)}${srt.search === '' ? '?' : '&'}streamid={streamKey}` }),
    ...(hls.ok && !/[?#{}]|%7b/i.test(hls.url) && { hls: `${withoutEnd(hls.url)}/{playbackId}/index.m3u8` }),
  };
}

function ingestUrl(said: unknown, protocol: RegExp, baseUrl: string): URL | undefined {
  const url = typeof said === 'string' && said.length < 1000 ? URL.parse(said.trim()) : null;
  if (url === null || !protocol.test(url.protocol) || url.hostname === '') return undefined;
  const hasOdd = url.username !== '' || url.password !== '' || url.hash !== '' || /[{}\s]|%7b/i.test(url.href);
  const isForeign = reachesThisMachine(url.hostname) && !isLoopback(new URL(baseUrl).hostname);
  const hasQuery = url.search !== '' && url.protocol !== 'srt:';
  return hasOdd || isForeign || hasQuery ? undefined : url;
}

function withoutEnd(url: string): string {
  return url.replace(/\/+$/, '');
}
