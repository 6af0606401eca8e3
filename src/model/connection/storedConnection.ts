import { parseApiKey, parseBaseUrl } from './baseUrl.ts';

export interface StoredConnection {
  readonly id: string;
  /** Unique among the connections. */
  readonly name: string;
  /** As returned by parseBaseUrl. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The user accepted that the key is sent unencrypted (http to another machine). */
  readonly insecureAccepted: boolean;
}

export type KnownConnection = Pick<StoredConnection, 'name' | 'baseUrl'>;

/**
 * Decodes a connection's secret. Returns undefined if it isn't JSON, a field is missing, its address or key would be
 * rejected, or it uses plain http to another machine without the user's consent.
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
