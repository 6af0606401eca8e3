import { createFetchTransport } from '../../../src/api/transport/fetchTransport.ts';
import { createUndiciTransport, type TransportOptions } from '../../../src/api/transport/undiciTransport.ts';
import type { Downloads, Transport } from '../../../src/services.ts';
import type { Disposable } from '../../../src/util/disposable.ts';

/** The values of liveStreams.network.client. */
export const CLIENTS = ['undici', 'editor'] as const;

/** The clients of what carries no key, once more with a fetch that hides redirects. */
export const MEDIA_CLIENTS = [...CLIENTS, 'editor with hidden redirects'] as const;

export type ClientName = (typeof MEDIA_CLIENTS)[number];

export function hidesRedirects(client: ClientName): boolean {
  return client === 'editor with hidden redirects';
}

export function createClient(name: ClientName, options: TransportOptions): Transport & Downloads & Disposable {
  if (name === 'undici') return createUndiciTransport(options);
  const fetch = hidesRedirects(name) ? opaqueFetch : visibleFetch;
  return createFetchTransport({ ...options, fetch });
}

/** Looked up for each request, as the product does. */
const visibleFetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args);

/** A fetch as the standard describes it: of a redirect that is not followed it shows nothing (Node's shows all). */
const opaqueFetch: typeof globalThis.fetch = async (input, init) => {
  const answer = await globalThis.fetch(input, init);
  const isRedirect = [301, 302, 303, 307, 308].includes(answer.status);
  if (init?.redirect !== 'manual' || !isRedirect) return answer;
  await answer.body?.cancel();
  return Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
};

/** Describes the same with each of these clients. */
export function describeWith<Name extends ClientName>(
  clients: readonly Name[],
  title: string,
  describeClient: (client: Name) => void,
): void {
  for (const client of clients) describe(`${title} (${client})`, () => describeClient(client));
}
