import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { SigningKey } from '../../api/signingKeys.ts';

/** Why a string isn't a private key that can sign tokens. */
export type PrivateKeyFault =
  | 'empty'
  /** It has a passphrase. */
  | 'encrypted'
  | 'publicKey'
  | 'certificate'
  | 'rsa'
  /** A key of another kind or on a curve other than P-256. */
  | 'otherKind'
  | 'unreadable'
  /** The account has no such key: it belongs to another account or was deleted. */
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
  /** PEM or Base64-encoded PEM, possibly on one line, as in input boxes and .env files. */
  readonly privateKey: string;
  /** As the service lists it. Default: the key in the account that the private key belongs to. */
  readonly publicKey?: string | undefined;
}

/** Finds the account's key that a private key belongs to. */
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

// A PEM key is a few hundred characters long.
const MOST_CHARACTERS = 64 * 1024;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----/gs;
// OpenSSL writes these before an EC key.
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

/** Returns undefined if it isn't a public key, and otherwise the same text for the same key. */
function readPublicKey(text: string): string | undefined {
  const [, label = '', body = ''] = [...toPem(text).matchAll(BLOCK)][0] ?? [];
  const key = label === 'PUBLIC KEY' ? tryCreate(() => createPublicKey(wrap(label, body))) : undefined;
  return key && encode(key);
}

function encode(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Returns the PEM in a string that is PEM or Base64-encoded PEM. */
function toPem(text: string): string {
  const plain = text
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replaceAll(/\\r|\\n/g, '\n')
    .trim();
  if (plain === '' || plain.includes('-----BEGIN')) return plain;
  return Buffer.from(plain, 'base64').toString('latin1');
}

/** Restores line breaks, which input boxes remove. */
function wrap(label: string, body: string): string {
  const lines = body.replaceAll(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

function tryCreate(create: () => KeyObject): KeyObject | undefined {
  try {
    return create();
  } catch {
    // The error may quote the key.
    return undefined;
  }
}
