/** Nothing can be requested there (RFC 2606). */
const BASE = 'https://numbered.invalid/';

/** Returns a URL that stands for a number. */
export function numberedUrl(number: number): string {
  return `${BASE}${number}`;
}

/** Returns the number for which a URL stands, and its query; undefined for any other URL. */
export function parseNumberedUrl(url: string): { readonly number: number; readonly query: string } | undefined {
  const [, digits, query = ''] =
    /^(\d{1,15})(?:\?(.*))?$/.exec(url.startsWith(BASE) ? url.slice(BASE.length) : '') ?? [];
  return digits === undefined ? undefined : { number: Number(digits), query };
}
