import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { SigningKey } from '../../api/signingKeys.ts';

/** Why a text is no private key that can sign tokens. */
export type PrivateKeyFault =
  | 'empty'
  /** It has a passphrase. */
  | 'encrypted'
  | 'publicKey'
  | 'certificate'
  | 'rsa'
  /** A key of another kind, or on another curve than P-256. */
  | 'otherKind'
  | 'unreadable'
  /** The account has no such key: it is another account's, or was deleted. */
  | 'notOfAccount'
  /** It isn't the private half of the public key that was given with it. */
  | 'otherHalf';

/** A signing key with its private half, as PEM (PKCS #8). */
export interface PrivateSigningKey extends Pick<SigningKey, 'id' | 'name' | 'publicKey'> {
  readonly privateKey: string;
}

export type FoundKey =
  | { readonly ok: true; readonly key: PrivateSigningKey }
  | { readonly ok: false; readonly fault: PrivateKeyFault };

interface GivenKey {
  /** A PEM or its base64, also in one line, as boxes and .env files have it. */
  readonly privateKey: string;
  /** As the service lists it. Default: whichever key of the account it belongs to. */
  readonly publicKey?: string | undefined;
}

/** Finds out to which key of an account a private key belongs. */
export function findSigningKey(given: GivenKey, listed: readonly SigningKey[]): FoundKey {
  const read = readPrivateKey(given.privateKey);
  if ('fault' in read) return { ok: false, fault: read.fault };
  const half = encode(createPublicKey(read.key));
  if (given.publicKey !== undefined && readPublicKey(given.publicKey) !== half)
    return { ok: false, fault: 'otherHalf' };
  const key = listed.find(({ publicKey }) => readPublicKey(publicKey) === half);
  if (key === undefined) return { ok: false, fault: 'notOfAccount' };
  const { id, name, publicKey } = key;
  const privateKey = read.key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { ok: true, key: { id, name, publicKey, privateKey } };
}

// A PEM of a key has some hundred.
const MOST_CHARACTERS = 64 * 1024;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----/gs;
// OpenSSL writes them before the key on a curve.
const PARAMETERS = 'EC PARAMETERS';

function readPrivateKey(text: string): { readonly key: KeyObject } | { readonly fault: PrivateKeyFault } {
  if (text.length > MOST_CHARACTERS) return { fault: 'unreadable' };
  const plain = toPem(text);
  if (plain === '') return { fault: 'empty' };
  const [label = '', body = ''] =
    [...plain.matchAll(BLOCK)].map(([, ...parts]) => parts).find(([l]) => l !== PARAMETERS) ?? [];
  if (label === 'PUBLIC KEY' || label === 'RSA PUBLIC KEY') return { fault: 'publicKey' };
  if (label === 'CERTIFICATE') return { fault: 'certificate' };
  if (label === 'RSA PRIVATE KEY') return { fault: 'rsa' };
  if (label === 'ENCRYPTED PRIVATE KEY' || body.includes('ENCRYPTED')) return { fault: 'encrypted' };
  if (!label.endsWith('PRIVATE KEY')) return { fault: 'unreadable' };
  const key = tryCreate(() => createPrivateKey(wrap(label, body)));
  if (key === undefined) return { fault: 'unreadable' };
  if (key.asymmetricKeyType?.startsWith('rsa') === true) return { fault: 'rsa' };
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return isP256 ? { key } : { fault: 'otherKind' };
}

/** Undefined if it isn't a public key. Otherwise the same text for the same key. */
function readPublicKey(text: string): string | undefined {
  const [, label = '', body = ''] = [...toPem(text).matchAll(BLOCK)][0] ?? [];
  const key = label === 'PUBLIC KEY' ? tryCreate(() => createPublicKey(wrap(label, body))) : undefined;
  return key && encode(key);
}

function encode(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Returns the PEM of a text that is one or its base64. */
function toPem(text: string): string {
  const plain = text
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replaceAll(/\\r|\\n/g, '\n')
    .trim();
  if (plain === '' || plain.includes('-----BEGIN')) return plain;
  return Buffer.from(plain, 'base64').toString('latin1');
}

/** Boxes make one line of several. */
function wrap(label: string, body: string): string {
  const lines = body.replaceAll(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

function tryCreate(create: () => KeyObject): KeyObject | undefined {
  try {
    return create();
  } catch {
    // The reason may quote the key.
    return undefined;
  }
}
