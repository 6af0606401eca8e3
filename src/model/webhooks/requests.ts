import type { DeliveryRequest } from '../../api/webhooks.ts';
import type { Made } from './localSender.ts';
import { isSignatureHeader, SIGNATURE_HEADER, signBody } from './signature.ts';
import type { Signer } from './state.ts';

const HEADERS: Readonly<Record<string, string>> = { 'content-type': 'application/json', 'user-agent': 'live-streams' };

/** Makes the request that the service would send with this body. */
export function makeBodyRequest(body: string, { webhookId, secret }: Signer, now: number): Made {
  const headers = { ...HEADERS, [SIGNATURE_HEADER]: signBody(secret, body, now) };
  return { body, headers, signature: 'fresh', signedBy: webhookId };
}

/** Makes a recorded request again, with a fresh signature if the secret is known. */
export function makeReplay({ headers, body }: DeliveryRequest, signer: Signer | undefined, now: number): Made {
  const hasRecorded = Object.keys(headers).some(isSignatureHeader);
  if (signer === undefined) return { body, headers, signature: hasRecorded ? 'recorded' : 'none' };
  const others = Object.entries(headers).filter(([name]) => !isSignatureHeader(name));
  const headersNow = { ...Object.fromEntries(others), [SIGNATURE_HEADER]: signBody(signer.secret, body, now) };
  return { body, headers: headersNow, signature: 'fresh', signedBy: signer.webhookId };
}
