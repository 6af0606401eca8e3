import { type Row, toRow, wholeOf } from './decodeValues.ts';

/** Shorter ones would take parts of ordinary words. */
const SHORTEST = 6;
const MOST_KNOWN = 50_000;
/** What comes behind these words is a credential, whoever's it is. */
const CREDENTIALS = /\b(bearer|basic|digest)\s+[^\s"',;]+/gi;
/** In addresses: who one is there, what is asked, and the last part where media is sent to. */
const USER = /(:\/\/)[^/?#@\s"']*@/g;
const QUERY = /(:\/\/[^\s"'?#]*[?#])[^\s"']*/g;
const INGEST = /\b((?:rtmps?|rtsps?|srt):\/\/[^\s"'/]+\/(?:[^\s"'/?#]+\/)*)[^\s"'/?#]+/gi;
/** Groups of four joined by hyphens, as stream keys are (src/api/README.md, Streams). Ids have groups of other lengths. */
const STREAM_KEY = /\b[a-z0-9]{4}(?:-[a-z0-9]{4}){3,}\b/gi;

/**
 * The secrets that one client has been given or was sent: its key, stream keys, and headers that go along with what is
 * pulled. A service may echo any of them in an error, whose words people get to see.
 */
export class KnownSecrets {
  readonly #values = new Set<string>();

  constructor(apiKey: string) {
    // However short, and as it stands in addresses.
    for (const key of [apiKey, encodeURIComponent(apiKey.toWellFormed())]) if (key !== '') this.#values.add(key);
  }

  /** Takes in the secrets of an answer: of one row, or of a list. */
  note(json: unknown): void {
    for (const row of Array.isArray(json) ? json : [json]) this.#noteRow(toRow(row));
  }

  /** The text without them. */
  strip(text: string): string {
    let rest = text;
    for (const secret of this.#values) if (rest.includes(secret)) rest = rest.replaceAll(secret, '…');
    const plain = rest.replace(CREDENTIALS, '$1 …').replace(STREAM_KEY, '…');
    return plain.replace(USER, '$1…@').replace(QUERY, '$1…').replace(INGEST, '$1…');
  }

  #noteRow(row: Row | undefined): void {
    if (row === undefined) return;
    this.#add(wholeOf(row.streamKey));
    const headers = toRow(toRow(row.pull)?.headers);
    if (headers !== undefined) {
      // "Bearer TOKEN" is echoed whole or without its first word.
      for (const key of Object.keys(headers)) for (const word of wordsOf(headers, key)) this.#add(word);
    }
    const parent = toRow(row.parentStream);
    if (parent !== undefined) this.#noteRow({ ...parent, parentStream: undefined });
  }

  #add(secret: string | undefined): void {
    if (secret !== undefined && secret.length >= SHORTEST && this.#values.size < MOST_KNOWN) this.#values.add(secret);
  }
}

function wordsOf(headers: Row, key: string): readonly string[] {
  const value = wholeOf(headers[key]);
  return value === undefined ? [] : [value, ...value.split(/[\s:=,;]+/)];
}
