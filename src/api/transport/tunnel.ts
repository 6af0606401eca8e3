import type { Duplex } from 'node:stream';
import { ApiError } from '../errors.ts';
import { meaningOf } from './networkErrors.ts';

interface Tunnel {
  readonly statusCode: number;
  readonly socket: Duplex;
}

/**
 * Throws an ApiError about the proxy if there is no tunnel. Errors of undici must not get through: after one with the
 * code UND_ERR_SOCKET (the proxy hangs up) it would reconnect endlessly, thousands of times a second.
 */
export async function openTunnel<T extends Tunnel>(asked: Promise<T>): Promise<T> {
  const tunnel = await asked.catch((error: unknown) => {
    const { code, reason, why } = meaningOf(error);
    // The caller needs a certificate error as it is, to retry with other authorities; a timeout isn't about the proxy.
    if (why === 'certificate' || reason === 'timeout') throw error;
    throw new ApiError('network', `The proxy: ${code}`, { why: 'proxy' });
  });
  if (tunnel.statusCode === 200) return tunnel;
  tunnel.socket.on('error', () => {}).destroy();
  const why = tunnel.statusCode === 407 ? 'proxyAuthentication' : 'proxy';
  throw new ApiError('network', `The proxy answered ${tunnel.statusCode}`, { why });
}
