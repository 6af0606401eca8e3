import { cutText, type Row, toRow } from './decodeValues.ts';
import type { KnownSecrets } from './knownSecrets.ts';

/** Limits the work of stripping secrets; at most 300 characters are shown. */
const MOST_LOOKED_AT = 20_000;

/**
 * Returns the message in an error body ({"errors": […]} or {"error": …}), without known secrets, at most 300
 * characters.
 */
export function wordsOf(body: Uint8Array, secrets: Pick<KnownSecrets, 'strip'>): string | undefined {
  const row = toRow(parse(new TextDecoder().decode(body)));
  if (row === undefined) return undefined;
  const entries = Array.isArray(row.errors) ? row.errors : [row.error ?? row.message];
  const words = entries.slice(0, 10).map(wordOf).filter(Boolean).join('; ');
  return clean(words, secrets) || undefined;
}

export function listsErrors(body: Uint8Array): boolean {
  if (body.byteLength === 0) return false;
  const errors = toRow(parse(new TextDecoder().decode(body)))?.errors;
  return Array.isArray(errors) && errors.length > 0;
}

function wordOf(entry: unknown): string {
  const value = typeof entry === 'string' ? (toRow(parse(entry)) ?? entry) : entry;
  const row = toRow(value);
  return row ? validationWords(row) : typeof value === 'string' ? value : '';
}

function validationWords(row: Row): string {
  const field = row.instancePath ?? row.dataPath;
  const message = row.message ?? row.error;
  return [field, message].filter((part) => typeof part === 'string' && part !== '').join(' ');
}

function clean(words: string, secrets: Pick<KnownSecrets, 'strip'>): string {
  const withoutSecrets = secrets.strip(cutText(words, MOST_LOOKED_AT));
  const plain = withoutSecrets.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return plain.length > 300 ? `${cutText(plain, 299)}…` : plain;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
