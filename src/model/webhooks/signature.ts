import { createHmac, timingSafeEqual } from 'node:crypto';

export const SIGNATURE_HEADER = 'Livepeer-Signature';

export type SignatureCheck = 'valid' | 'invalid' | 'malformed';

/**
 * Returns the value of the Livepeer-Signature header.
 * @param now Unix time in milliseconds; the service doesn't sign it
 */
export function signBody(secret: string, body: string, now: number): string {
  return `t=${Math.trunc(now)},v1=${digestOf(secret, body).toString('hex')}`;
}

/** Returns the signature among the headers of a request. Ignores the case of their names. */
export function signatureOf(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(headers).find(([name]) => isSignatureHeader(name))?.[1];
}

export function isSignatureHeader(name: string): boolean {
  return name.toLowerCase() === SIGNATURE_HEADER.toLowerCase();
}

/** Compares in constant time. A header with several signatures is valid if one of them is. */
export function checkSignature(header: string, body: string, secret: string): SignatureCheck {
  const fields = header.split(',').map((field) => field.trim());
  const hasTime = fields.some((field) => /^t=\d+$/.test(field));
  const signatures = fields
    .map((field) => /^v1=([0-9a-f]{64})$/i.exec(field)?.[1])
    .filter((each) => each !== undefined);
  if (!hasTime || signatures.length === 0) return 'malformed';
  const expected = digestOf(secret, body);
  return signatures.some((each) => timingSafeEqual(Buffer.from(each, 'hex'), expected)) ? 'valid' : 'invalid';
}

function digestOf(secret: string, body: string): Buffer {
  return createHmac('sha256', secret).update(body, 'utf8').digest();
}
