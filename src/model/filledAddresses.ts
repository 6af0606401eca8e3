export interface AddressValues {
  readonly streamKey?: string | undefined;
  readonly playbackId?: string | undefined;
  readonly id?: string | undefined;
  readonly projectId?: string | undefined;
  readonly recordingUrl?: string | undefined;
}

/** Fills the placeholders of a template, percent-encoded. Returns undefined if a value is missing. */
export function fillTemplate(template: string, values: AddressValues): string | undefined {
  const known = new Map<string, unknown>(Object.entries(values));
  let isComplete = true;
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = known.get(name);
    // encodeURIComponent throws on a lone surrogate.
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value.toWellFormed());
    isComplete = false;
    return '';
  });
  return isComplete ? filled : undefined;
}

/** Like fillTemplate, for a URL that is shown. Undefined if the template has the stream key. */
export function publicAddress(template: string, { id, playbackId, projectId }: AddressValues): string | undefined {
  return fillTemplate(template, { id, playbackId, projectId });
}

/** Adds a viewer token, if there is one, to a URL (src/api/README.md, Access). */
export function withToken<T extends string | undefined>(url: T, token: string | undefined): T | string {
  if (url === undefined || token === undefined) return url;
  const [address = '', hash] = url.split('#');
  const query = `${address.includes('?') ? '&' : '?'}jwt=${token}`;
  return hash === undefined ? address + query : `${address}${query}#${hash}`;
}

/** Returns the server for an encoder: the template without its last part, if that is the stream key. */
export function ingestServer(rtmpTemplate: string): string | undefined {
  const server = rtmpTemplate.replace(/\/\{streamKey\}$/, '');
  return server.includes('{') ? undefined : server;
}
