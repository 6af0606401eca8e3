import { fetchMedia } from './fetchMedia.ts';
import type { Source } from './messages.ts';

const PATIENCE_MS = 3000;

export interface Reached {
  readonly url: string;
  readonly place: (url: string) => string;
}

/**
 * Chooses the address that responds to this page. A loopback address has two: the machine's own, and the one under
 * which VS Code forwards its port (src/host/README.md, Webviews).
 */
export async function chooseAddress({ urls, kind }: Pick<Source, 'urls' | 'kind'>): Promise<Reached> {
  const [direct = '', external] = urls;
  const here: Reached = { url: direct, place: (url) => url };
  if (external === undefined || (await answers(direct, kind))) return here;
  if (!(await answers(external, kind))) return here;
  return { url: external, place: placeOver(direct, external) };
}

/** Returns a function that replaces the direct address's origin by the start of the external address. */
export function placeOver(direct: string, external: string): (url: string) => string {
  const from = new URL(direct).origin;
  const rest = direct.slice(from.length);
  const to = external.endsWith(rest) ? external.slice(0, external.length - rest.length) : new URL(external).origin;
  return (url) => (url === from || url.startsWith(`${from}/`) ? to + url.slice(from.length) : url);
}

async function answers(url: string, kind: Source['kind']): Promise<boolean> {
  try {
    const headers: Record<string, string> = kind === 'mp4' ? { range: 'bytes=0-0' } : {};
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetchMedia(url, { headers, signal });
    const isHtml = /\bhtml\b/i.test(response.headers.get('content-type') ?? '');
    await response.body?.cancel();
    return response.ok && !isHtml;
  } catch {
    return false;
  }
}
