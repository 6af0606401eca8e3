import type { LinkParts } from '../../../src/model/links.ts';

/** An address in parts as VS Code hands it to a UriHandler: percent-encoding is undone once in each part, as a whole. */
export function uriParts(address: string): LinkParts {
  const { host, pathname, search } = new URL(address);
  return { authority: host, path: decodeURIComponent(pathname), query: decodeURIComponent(search.slice(1)) };
}
