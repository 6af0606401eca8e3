import type { MediaReply, MediaRequest } from '../../util/numberedUrl.ts';
import { parseNumberedUrl } from '../../util/numberedUrl.ts';
import type { MetProblem } from './messages.ts';

export interface FetchRequest {
  readonly url: string;
  /** In bytes; `end` is exclusive. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
}

export type Fetched = Omit<Extract<MediaReply<MetProblem>, { readonly kind: 'loaded' }>, 'kind' | 'id'>;

export interface FetchFailure {
  readonly problem: MetProblem;
  /** The HTTP status; without one, 0 if a retry can help, 499 if none can. */
  readonly code: number;
}

export interface FetchHandlers {
  readonly onProgress: (loaded: number) => void;
  readonly onLoaded: (fetched: Fetched) => void;
  readonly onFailed: (failure: FetchFailure) => void;
}

/** Where a player's media come from. */
export interface MediaFetcher {
  /** Calls `onLoaded` or `onFailed` once, unless it's canceled before. Returns a function that cancels. */
  fetch(request: FetchRequest, handlers: FetchHandlers): () => void;
}

/** No retry can help. */
export const LASTS = 499;

interface Channel {
  readonly request: (request: MediaRequest) => void;
  readonly cancel: (id: number) => void;
}

/** Gets media from the host, because a page sends no request to any server (src/host/README.md, Webviews). */
export class MediaClient implements MediaFetcher {
  readonly #channel: Channel;
  readonly #pending = new Map<number, FetchHandlers>();
  /** Differs from page to page: a page that VS Code creates again has the same host. */
  #next = Math.floor(performance.timeOrigin);

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  fetch({ url, range }: FetchRequest, handlers: FetchHandlers): () => void {
    const named = parseNumberedUrl(url);
    if (named === undefined) {
      queueMicrotask(() => handlers.onFailed({ problem: unnamed(url), code: LASTS }));
      return () => {};
    }
    const id = this.#next;
    this.#next += 1;
    this.#pending.set(id, handlers);
    const directives = named.query === '' ? undefined : named.query;
    this.#channel.request({ id, resource: named.number, range, directives });
    return () => {
      if (this.#pending.delete(id)) this.#channel.cancel(id);
    };
  }

  receive(reply: MediaReply<MetProblem>): void {
    const handlers = this.#pending.get(reply.id);
    if (handlers === undefined) return;
    if (reply.kind !== 'progress') this.#pending.delete(reply.id);
    if (reply.kind === 'progress') handlers.onProgress(reply.loaded);
    else if (reply.kind === 'loaded') handlers.onLoaded(reply);
    else handlers.onFailed(reply);
  }

  /** Forgets all requests: they were for a source that the host has dropped. */
  reset(): void {
    this.#pending.clear();
  }
}

/** The host leaves URIs of keys alone if only other players can load them. */
function unnamed(url: string): MetProblem {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  return scheme === undefined ? { kind: 'malformedPlaylist' } : { kind: 'foreignScheme', scheme };
}
