import type { MetProblem } from './messages.ts';

export function judgePlaylist(text: string): MetProblem | undefined {
  const start = text
    .slice(0, 1000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start === '') return { kind: 'emptyPlaylist' };
  if (start.startsWith('<')) return { kind: 'htmlPlaylist' };
  return start.startsWith('#EXTM3U') ? undefined : { kind: 'malformedPlaylist' };
}

/** Detects an empty segment, or a page that a gateway sent in its place. */
export function judgeSegment(bytes: Uint8Array, contentType: string): MetProblem | undefined {
  if (bytes.length === 0) return { kind: 'truncatedSegment' };
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 256)).trimStart().toLowerCase();
  const isHtml = start.startsWith('<!doctype') || start.startsWith('<html') || /\bhtml\b/i.test(contentType);
  return isHtml ? { kind: 'htmlSegment' } : undefined;
}

/** Returns undefined for http and https URLs within the allowed origins, else the problem. */
export function judgeAddress(url: string, origins: readonly string[]): MetProblem | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return { kind: 'malformedPlaylist' };
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return { kind: 'foreignScheme', scheme: parsed.protocol.slice(0, -1) };
  }
  return origins.includes(parsed.origin) ? undefined : { kind: 'foreignOrigin', origin: parsed.origin };
}
