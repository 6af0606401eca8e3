import type { Duplex } from 'node:stream';
import { ApiError } from '../errors.ts';
import { meaningOf } from './networkErrors.ts';

/** What a proxy answered to CONNECT, and the connection that is then the tunnel. */
interface Tunnel {
  readonly statusCode: number;
  readonly socket: Duplex;
}

/**
 * Throws an ApiError about the proxy where there is no tunnel. Errors of undici's own must not come through: after one with
 * the code UND_ERR_SOCKET (a proxy that hangs up) it would connect again without end, thousands of times a second.
 */
export async function openTunnel<T extends Tunnel>(asked: Promise<T>): Promise<T> {
  const tunnel = await asked.catch((error: unknown) => {
    const { code, reason, why } = meaningOf(error);
    // Others may vouch for the certificate, which needs the error as it is; and a proxy that is slow is just that.
    if (why === 'certificate' || reason === 'timeout') throw error;
    throw new ApiError('network', `The proxy: ${code}`, { why: 'proxy' });
  });
  if (tunnel.statusCode === 200) return tunnel;
  tunnel.socket.on('error', () => {}).destroy();
  const why = tunnel.statusCode === 407 ? 'proxyAuthentication' : 'proxy';
  throw new ApiError('network', `The proxy answered ${tunnel.statusCode}`, { why });
}
