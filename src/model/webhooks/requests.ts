import type { DeliveryRequest } from '../../api/webhooks.ts';
import type { Made } from './localSender.ts';
import { SIGNATURE_HEADER, signBody } from './signature.ts';

const HEADERS: Readonly<Record<string, string>> = { 'content-type': 'application/json', 'user-agent': 'live-streams' };

/** Makes the request that the service would send with this body. */
export function makeBodyRequest(body: string, secret: string, now: number): Made {
  return { body, headers: { ...HEADERS, [SIGNATURE_HEADER]: signBody(secret, body, now) }, signature: 'fresh' };
}

/** Makes a recorded request again, with a fresh signature if the secret is known. */
export function makeReplay({ headers, body }: DeliveryRequest, secret: string | undefined, now: number): Made {
  const isSignature = (name: string) => name.toLowerCase() === SIGNATURE_HEADER.toLowerCase();
  const hasRecorded = Object.keys(headers).some(isSignature);
  if (secret === undefined) return { body, headers, signature: hasRecorded ? 'recorded' : 'none' };
  const others = Object.entries(headers).filter(([name]) => !isSignature(name));
  const signature = signBody(secret, body, now);
  return { body, headers: { ...Object.fromEntries(others), [SIGNATURE_HEADER]: signature }, signature: 'fresh' };
}
