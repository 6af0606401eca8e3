import { fullFace } from './api.ts';
import type { EmbeddedDemo, EmbeddedOptions } from './demoContract.ts';
import { openSite } from './site.ts';

/**
 * Starts the embedded service on a free port of 127.0.0.1. Rejects if it cannot listen. Disposing closes all
 * connections at once.
 */
export async function startEmbeddedDemo(options: EmbeddedOptions): Promise<EmbeddedDemo> {
  return (await openSite({ ...options, api: fullFace(false) })).demo;
}
