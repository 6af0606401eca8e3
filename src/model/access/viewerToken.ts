import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { TokenRequest } from './token.ts';

// Services don't check who issued a token.
const ISSUER = 'Live Streams';

/** Returns a token to play the stream with this playback ID (src/api/README.md, Access). It's a secret. */
export function signViewerToken(
  { publicKey, privateKey }: { readonly publicKey: string; readonly privateKey: string },
  { playbackId, seconds, now }: TokenRequest,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ action: 'pull', pub: publicKey, video: 'none' })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setIssuer(ISSUER)
    .setSubject(playbackId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(createPrivateKey(privateKey));
}
