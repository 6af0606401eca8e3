import type { Clock, HttpRequest, HttpResponse, Transport } from '../services.ts';
import { ApiError } from './errors.ts';
import { KnownSecrets } from './knownSecrets.ts';
import { dateOf } from './retryAfter.ts';

/** What was asked, for errors and logs. */
export interface Asked {
  /** Method and path, without a query: 'GET /stream'. */
  readonly what: string;
  /** Host and port. */
  readonly host: string;
  /** Removed from whatever the service says. */
  readonly secrets: KnownSecrets;
}

/** An answer, and what is known of its age. */
export interface Answered {
  readonly response: HttpResponse;
  readonly asked: Asked;
  /** Which call of this client it answers, counted from 1: what was asked for later has a higher one, whatever clocks do. */
  readonly turn: number;
  /** Local clock, epoch ms, when the request was started. */
  readonly startedAt: number;
  /** Local clock, epoch ms, when the answer was there. */
  readonly answeredAt: number;
  /** The answer's Date header, epoch ms. */
  readonly date: number | undefined;
  /** The Date header, or else the local clock; epoch ms. */
  readonly serverDate: number;
}

export interface Call {
  readonly method?: HttpRequest['method'];
  /** Below the base URL, with its query, encoded. */
  readonly path: string;
  /** JSON. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of the answer that is known already. */
  readonly etag?: string | undefined;
  /** Sent without the key: what anybody may read. */
  readonly isPublic?: boolean;
}

/** Sends one call to the service. Throws only what the transport throws, and `unauthorized` for a key that no header can hold. */
export type Caller = (call: Call) => Promise<Answered>;

export interface CallerOptions {
  /** Without slashes at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly transport: Transport;
  readonly clock: Pick<Clock, 'now'>;
}

/** The only place that puts the key on a request: all of them go to the base URL's own origin. */
export function createCaller({ baseUrl, apiKey, transport, clock }: CallerOptions): Caller {
  const { host } = new URL(baseUrl);
  const secrets = new KnownSecrets(apiKey);
  let calls = 0;
  return async ({ method = 'GET', path, body, signal, etag, isPublic = false }) => {
    const asked: Asked = { what: `${method} ${path.replace(/\?.*$/s, '')}`, host, secrets };
    // What is no printable text cannot be sent in a header, and no service has given it out.
    if (!isPublic && !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new ApiError('unauthorized', `${asked.what}: not a key`, { host });
    }
    calls += 1;
    const turn = calls;
    const startedAt = clock.now();
    const response = await transport.send({
      method,
      url: `${baseUrl}${path}`,
      headers: {
        accept: 'application/json',
        ...(!isPublic && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
      isJson: true,
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    const answeredAt = clock.now();
    const date = dateOf(response.headers);
    return { response, asked, turn, startedAt, answeredAt, date, serverDate: date ?? answeredAt };
  };
}
