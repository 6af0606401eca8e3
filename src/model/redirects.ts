import type { HttpResponse } from '../services.ts';
import type { AddressFault, CheckedUrl } from './addresses.ts';

const MOST_REDIRECTS = 5;

export type Followed<R> =
  | { readonly kind: 'response'; readonly response: R; readonly url: string }
  | { readonly kind: 'refused'; readonly fault: AddressFault; readonly from: string }
  | { readonly kind: 'tooMany' };

/**
 * Requests a checked address of media and follows up to 5 redirects that `check` allows. Throws what `open` throws.
 * @param open Sends a request without any key, and leaves redirects alone.
 * @param discard Called with each redirect's response.
 */
export async function followRedirects<R extends Pick<HttpResponse, 'status' | 'headers'>>(
  first: string,
  {
    open,
    check,
    discard,
  }: {
    readonly open: (url: string) => Promise<R>;
    readonly check: (url: string) => CheckedUrl;
    readonly discard?: (response: R) => void;
  },
): Promise<Followed<R>> {
  let url = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await open(url);
    const { location = '' } = response.headers;
    if (response.status < 300 || response.status >= 400 || location === '') {
      return { kind: 'response', response, url };
    }
    discard?.(response);
    const next = check(URL.parse(location, url)?.href ?? '');
    if (!next.ok) return { kind: 'refused', fault: next.fault, from: url };
    url = next.url;
  }
  return { kind: 'tooMany' };
}
