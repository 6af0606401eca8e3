/** Nothing can be requested there (RFC 2606). */
const BASE = 'https://numbered.invalid/';

/** Returns a URL that represents a number. */
export function numberedUrl(number: number): string {
  return `${BASE}${number}`;
}

/** Returns the number that a URL represents, and its query; undefined for any other URL. */
export function parseNumberedUrl(url: string): { readonly number: number; readonly query: string } | undefined {
  const [, digits, query = ''] =
    /^(\d{1,15})(?:\?(.*))?$/.exec(url.startsWith(BASE) ? url.slice(BASE.length) : '') ?? [];
  return digits === undefined ? undefined : { number: Number(digits), query };
}

/** In bytes; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A page sends no request to a server. It requests a resource from its host by the number that a playlist gives it. */
export interface MediaRequest {
  /** The page's own number for the request. */
  readonly id: number;
  /** 0 is the source itself. */
  readonly resource: number;
  readonly range?: ByteRange | undefined;
  /** Delivery directives of low-latency HLS, as a query (RFC 8216bis, 6.2.5). */
  readonly directives?: string | undefined;
}

export type MediaReply<Problem> =
  | { readonly kind: 'progress'; readonly id: number; readonly loaded: number }
  | {
      readonly kind: 'loaded';
      readonly id: number;
      /** A playlist's text, in which numbers replace URIs, or the bytes of anything else. */
      readonly body: string | ArrayBuffer;
      /** The size of the whole file in bytes, if the server reports it. */
      readonly size: number | undefined;
      /** Milliseconds from the host's request to the headers, and to the end. */
      readonly firstByteMs: number;
      readonly totalMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly problem: Problem;
      /** The HTTP status; without one, 0 if a retry can help, 499 if none can. */
      readonly code: number;
    };
