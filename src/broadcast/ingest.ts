/** The destination for publishing. Everything but `host` and `port` may contain the stream key. */
export interface Ingest {
  readonly isEncrypted: boolean;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  readonly app: string;
  readonly tcUrl: string;
  readonly streamName: string;
}

export type ParsedIngest =
  | { readonly ok: true; readonly ingest: Ingest }
  | { readonly ok: false; readonly fault: 'noKey' | 'scheme' | 'invalid' };

const PLACEHOLDER = '{streamKey}';
const ADDRESS = /^(rtmps?):\/\/(\[[0-9a-f:.]+\]|[^\s/?#:@[\]{}]+)(?::(\d{1,5}))?\/([^\s#]+)$/i;

/**
 * Returns the destination for a template of an ingest URL and a stream key. The last part of the path, with the query,
 * is the stream name. The key is percent-encoded in `tcUrl`, and unchanged in the published name.
 */
export function parseIngest(template: string, streamKey: string): ParsedIngest {
  const text = template.trim();
  if (!/^rtmps?:/i.test(text)) return { ok: false, fault: 'scheme' };
  if (!text.includes(PLACEHOLDER)) return { ok: false, fault: 'noKey' };
  const [, scheme, host, port, rest] = ADDRESS.exec(text) ?? [];
  const parts = rest === undefined ? undefined : splitPath(rest);
  if (scheme === undefined || host === undefined || parts === undefined) return { ok: false, fault: 'invalid' };
  const isEncrypted = scheme.toLowerCase() === 'rtmps';
  const server = `${scheme.toLowerCase()}://${host}${port === undefined ? '' : `:${port}`}`;
  const withKey = (part: string) => part.replaceAll(PLACEHOLDER, () => streamKey);
  const ingest: Ingest = {
    isEncrypted,
    host: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? (isEncrypted ? 443 : 1935) : Number(port),
    app: withKey(parts.app),
    tcUrl: `${server}/${parts.app.replaceAll(PLACEHOLDER, () => encodeURIComponent(streamKey.toWellFormed()))}`,
    streamName: withKey(parts.name),
  };
  return ingest.port > 0 && ingest.port < 65_536 ? { ok: true, ingest } : { ok: false, fault: 'invalid' };
}

function splitPath(rest: string): { readonly app: string; readonly name: string } | undefined {
  const [path = ''] = rest.split('?');
  const end = path.lastIndexOf('/');
  // If the path has no part for the stream, the key is in the query of the application.
  if (end < 0) return { app: path, name: rest.slice(path.length + 1) };
  const app = path.slice(0, end);
  return app === '' ? undefined : { app, name: rest.slice(end + 1) };
}
