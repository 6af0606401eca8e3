import { parseApiKey, parseBaseUrl } from './baseUrl.ts';

/** All of a connection: what its secret holds. */
export interface StoredConnection {
  readonly id: string;
  /** Unique among the connections. */
  readonly name: string;
  /** As parseBaseUrl gives it. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The person accepted that the key travels in the clear (http to another machine). */
  readonly insecureAccepted: boolean;
}

/** What is known of a connection without its secret. */
export type KnownConnection = Pick<StoredConnection, 'name' | 'baseUrl'>;

/**
 * Reads a connection's secret. Undefined when it is not one: not JSON, a field missing, an address or key that would not
 * be accepted, or plain http to another machine that nobody accepted.
 */
export function decodeStored(id: string, text: string): StoredConnection | undefined {
  const value = parseObject(text);
  const known = decodeKnown(value);
  if (value === undefined || known === undefined || typeof value.apiKey !== 'string') return undefined;
  const insecureAccepted = value.insecureAccepted === true;
  const key = parseApiKey(value.apiKey);
  const address = parseBaseUrl(known.baseUrl);
  if (!key.ok || !address.ok || (address.needsWarning && !insecureAccepted)) return undefined;
  return { id, ...known, apiKey: key.apiKey, insecureAccepted };
}

/** Reads what is noted of a connection beside its secret; undefined when it is something else. */
export function decodeKnown(value: unknown): KnownConnection | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, baseUrl } = value as Record<string, unknown>;
  if (typeof name !== 'string' || name === '' || typeof baseUrl !== 'string') return undefined;
  const address = parseBaseUrl(baseUrl);
  return address.ok ? { name, baseUrl: address.url } : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
