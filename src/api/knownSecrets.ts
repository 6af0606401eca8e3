import { type JsonObject, toRow, wholeOf } from './decode.ts';
import { STREAM_KEY_SHAPE } from './ids.ts';

// Shorter secrets would match parts of ordinary words.
const SHORTEST = 6;
const MOST_KNOWN = 50_000;
const CREDENTIALS = /\b(bearer|basic|digest)\s+[^\s"',;]+/gi;
// Parts of URLs: user info, query and, for ingest URLs, the last path segment.
const USER = /(:\/\/)[^/?#@\s"']*@/g;
const QUERY = /(:\/\/[^\s"'?#]*[?#])[^\s"']*/g;
const INGEST = /\b((?:rtmps?|rtsps?|srt):\/\/[^\s"'/]+\/(?:[^\s"'/?#]+\/)*)[^\s"'/?#]+/gi;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs;
// Tokens of viewers: the base64url of a JSON object, its claims, and a signature.
const TOKEN = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
const STREAM_KEY = new RegExp(`\\b${STREAM_KEY_SHAPE}\\b`, 'gi');

/**
 * The secrets that a window has encountered. A service may echo any of them in an error, whose text is shown to users,
 * even to a connection that was opened after the secret was read.
 */
export class KnownSecrets {
  readonly #values = new Set<string>();
  readonly #others: KnownSecrets | undefined;

  /** @param others are stripped as well, but don't learn these secrets: a user can type any text as a key */
  constructor(others?: KnownSecrets) {
    this.#others = others;
  }

  /** The API key counts no matter how short it is, also in its URL-encoded form. */
  noteKey(apiKey: string): void {
    for (const key of [apiKey, encodeURIComponent(apiKey.toWellFormed())]) if (key !== '') this.#values.add(key);
  }

  note(json: unknown): void {
    for (const row of Array.isArray(json) ? json : [json]) this.#noteRow(toRow(row));
  }

  strip(text: string): string {
    const known = this.hide(text).replace(PRIVATE_KEY, '…');
    const plain = known.replace(CREDENTIALS, '$1 …').replace(TOKEN, '…').replace(STREAM_KEY, '…');
    return plain.replace(USER, '$1…@').replace(QUERY, '$1…').replace(INGEST, '$1…');
  }

  /** Removes known secrets, but leaves text that only looks like a secret. */
  hide(text: string): string {
    let rest = this.#others?.hide(text) ?? text;
    for (const secret of this.#values) if (rest.includes(secret)) rest = rest.replaceAll(secret, '…');
    return rest;
  }

  #noteRow(row: JsonObject | undefined): void {
    if (row === undefined) return;
    this.#add(wholeOf(row.streamKey));
    this.#add(wholeOf(row.sharedSecret));
    this.#add(wholeOf(row.privateKey));
    const headers = toRow(toRow(row.pull)?.headers);
    if (headers !== undefined) {
      // Services echo "Bearer TOKEN" whole or without its first word.
      for (const key of Object.keys(headers)) for (const word of wordsOf(headers, key)) this.#add(word);
    }
    const parent = toRow(row.parentStream);
    if (parent !== undefined) this.#noteRow({ ...parent, parentStream: undefined });
  }

  #add(secret: string | undefined): void {
    if (secret !== undefined && secret.length >= SHORTEST && this.#values.size < MOST_KNOWN) this.#values.add(secret);
  }
}

function wordsOf(headers: JsonObject, key: string): readonly string[] {
  const value = wholeOf(headers[key]);
  return value === undefined ? [] : [value, ...value.split(/[\s:=,;]+/)];
}
