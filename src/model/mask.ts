import { ApiError } from '../api/errors.ts';
import { isRecord } from '../util/isRecord.ts';

export const MASK = '••••••••';

type Place = 'plain' | 'multistream' | 'secret';

// Matched in lower case without `-` and `_`.
const SECRET_KEYS =
  /(key$|keys$|streamkey|apikey|accesskey|privatekey|signingkey|^(pass|pwd|auth|hmac)$|authorization|password|passwd|passphrase|secret|credential|cookie|signature|bearer|^jwt$|^headers$|token)/;
// Keys about a secret whose values aren't secret: createdByTokenName, tokenId.
const ABOUT_SECRETS = /(name|id|type|status)$/;
// Keys for the time of something. Case-sensitive, so that passwordFormat doesn't match.
const WHEN = /([a-z0-9]At|_at|-at)$/;
const ADDRESS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]+/gi;
// Shorter ones would mask parts of ordinary words.
const SHORTEST_SECRET = 6;
const MANY_SECRETS = 100;
const WORD = /[A-Za-z0-9_-]+/g;
const IS_WORD = /^[A-Za-z0-9_-]+$/;

/**
 * Prints JSON from the service, with and without its secrets: stream keys, passwords, tokens, headers, multistream
 * targets, ingest URLs, and user names and queries in URLs. Values under a secret key and `knownSecrets` are also
 * masked elsewhere. Throws ApiError `invalidResponse` (tooLarge) if the JSON is too large or nested too deeply to be
 * printed.
 */
export function maskJson(value: unknown, knownSecrets: readonly (string | undefined)[] = []) {
  try {
    return { masked: print(createMask(value, knownSecrets).json(value)), revealed: print(value) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError('invalidResponse', `JSON that cannot be printed: ${error.message}`, { why: 'tooLarge' });
  }
}

interface Mask {
  /** Throws a RangeError if the JSON is nested too deeply. */
  json(value: unknown): unknown;
  /** Masks the value of a key, such as a header's name. */
  text(key: string, text: string): string;
}

/** Returns functions that mask the secrets of JSON, both in JSON and in strings that may repeat them. */
export function createMask(value: unknown, knownSecrets: readonly (string | undefined)[] = []): Mask {
  const withoutSecrets = remover([...knownSecrets, ...findSecrets(value)]);
  const maskString = (text: string, place: Place) =>
    place === 'secret' && text !== '' ? MASK : maskAddresses(withoutSecrets(text));
  return {
    json: (json) => mapJson(json, 'plain', (leaf, place) => maskLeaf(leaf, place, maskString)),
    text: (key, text) => maskString(text, inside('plain', key)),
  };
}

export function print(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function mapJson(value: unknown, place: Place, map: (leaf: unknown, place: Place) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapJson(item, place, map));
  if (!isRecord(value)) return map(value, place);
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [map(key, 'plain'), mapJson(child, inside(place, key), map)]),
  );
}

// If there are many secrets, those that are words are matched as whole words. Otherwise, the time would be quadratic.
function remover(secrets: readonly (string | undefined)[]): (text: string) => string {
  const found = new Set(
    secrets.flatMap((secret) => (secret !== undefined && secret.length >= SHORTEST_SECRET ? [secret] : [])),
  );
  const isMany = found.size > MANY_SECRETS;
  const searched = isMany ? [...found].filter((secret) => !IS_WORD.test(secret)).slice(0, MANY_SECRETS) : [...found];
  // Longest first, so that a secret that contains another is masked completely.
  searched.sort((a, b) => b.length - a.length);
  const withoutWords = (text: string) => text.replace(WORD, (word) => (found.has(word) ? MASK : word));
  return (text) => {
    const rest = searched.reduce((left, secret) => left.replaceAll(secret, MASK), text);
    return isMany ? withoutWords(rest) : rest;
  };
}

function inside(place: Place, key: string): Place {
  if (place === 'secret') return place;
  const word = key.toLowerCase().replaceAll(/[-_]/g, '');
  if (place === 'multistream' && word.endsWith('url')) return 'secret';
  if (SECRET_KEYS.test(word) && !ABOUT_SECRETS.test(word) && !WHEN.test(key)) return 'secret';
  return word === 'multistream' ? 'multistream' : place;
}

function maskLeaf(leaf: unknown, place: Place, maskString: (text: string, place: Place) => string): unknown {
  if (typeof leaf === 'string') return maskString(leaf, place);
  return place !== 'secret' || leaf === null || typeof leaf === 'boolean' ? leaf : MASK;
}

function maskAddresses(text: string): string {
  return text.includes('://') ? text.replace(ADDRESS, maskAddress) : text;
}

function maskAddress(address: string): string {
  return address
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, `$1${MASK}@`)
    .replace(/[?#].*$/, (rest) => `${rest.slice(0, 1)}${MASK}`)
    .replace(/^(rtmps?|rtsps?|srt):(\/\/[^/?#]+\/(?:[^/?#]+\/)*)[^/?#]+/i, `$1:$2${MASK}`)
    .replace(/(;[^/?#;=]+=)[^/?#;]+/g, `$1${MASK}`)
    .replace(/(\/(?:webrtc|whip|ingest|publish)\/)[^/?#]+/i, `$1${MASK}`);
}

function findSecrets(root: unknown): readonly string[] {
  const found: string[] = [];
  mapJson(root, 'plain', (leaf, place) => {
    if (place === 'secret' && typeof leaf === 'string') found.push(leaf);
  });
  return found;
}
