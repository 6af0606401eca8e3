import type { Socket } from 'node:net';
import { type Disposable, onDispose } from '../../util/disposable.ts';

type Build = typeof import('./undici.ts').buildConnector;
type Connect = ReturnType<Build>;
type Options = NonNullable<Parameters<Build>[0]>;

/**
 * Connects like undici's default connector, and destroys pending connections when disposed: undici knows a connection
 * only once it is established, so one whose peer goes silent during the TLS handshake would outlive its agent.
 */
export function createConnector(build: Build, options: Options): { readonly connect: Connect } & Disposable {
  const connecting = new Set<Socket>();
  const start: (...given: Parameters<Connect>) => unknown = build(options);
  return {
    connect(target, callback) {
      let socket: Socket | undefined;
      const started = start(target, (...result: Parameters<typeof callback>) => {
        if (socket !== undefined) connecting.delete(socket);
        callback(...result);
      });
      // undici returns the socket, but its types don't say so.
      if (!isSocket(started)) return;
      socket = started;
      connecting.add(started);
      // A TLS alert after the handshake leaves the socket open, and undici then only reports that the peer closed it.
      started.on('error', (error) => started.destroy(error));
    },
    ...onDispose(() => {
      for (const socket of connecting) socket.destroy(new Error('The connection is wanted no more'));
      connecting.clear();
    }),
  };
}

function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'destroy' in value && typeof value.destroy === 'function';
}
