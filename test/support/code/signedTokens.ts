import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';

/** A signing key as a service gives it, in the variables of token signers. */
export interface KeyVariables {
  readonly LIVEPEER_PRIVATE_KEY: string;
  readonly LIVEPEER_PUBLIC_KEY: string;
}

export function makeKeyVariables(): KeyVariables {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const base64 = (pem: string | Buffer) => Buffer.from(pem).toString('base64');
  return {
    LIVEPEER_PRIVATE_KEY: base64(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    LIVEPEER_PUBLIC_KEY: base64(publicKey.export({ type: 'spki', format: 'pem' })),
  };
}

/** Fails unless the token has the header and claims of src/api/README.md, Access, is signed with the key, and ends in an hour. */
export function assertPlays(token: string, playbackId: string, { LIVEPEER_PUBLIC_KEY }: KeyVariables): void {
  const pem = Buffer.from(LIVEPEER_PUBLIC_KEY, 'base64');
  const { header, payload } = jwt.verify(token, pem, { algorithms: ['ES256'], complete: true });
  assert.deepEqual({ ...header }, { alg: 'ES256', typ: 'JWT' });
  assert.ok(typeof payload === 'object');
  const { iat = 0, exp = 0, ...claims } = payload;
  assert.equal(exp - iat, 3600);
  assert.ok(Math.abs(Date.now() / 1000 - iat) < 60);
  const issuer = 'https://example.com';
  assert.deepEqual(claims, { action: 'pull', iss: issuer, pub: LIVEPEER_PUBLIC_KEY, sub: playbackId, video: 'none' });
}
