import type { Socket } from 'node:net';
import { type Disposable, onDispose } from '../../util/disposable.ts';

type Build = typeof import('./undici.ts').buildConnector;
type Connect = ReturnType<Build>;
type Options = NonNullable<Parameters<Build>[0]>;

/**
 * Makes connections as undici does by itself, and ends those that are still being made when it is disposed: undici knows a
 * connection only once it is there, so that one whose other side falls silent in the TLS handshake would outlive its agent.
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
      if (!isSocket(started)) return;
      socket = started;
      connecting.add(started);
      // A TLS alert after the handshake leaves the socket open, and undici then only tells that the other side closed it.
      started.on('error', (error) => started.destroy(error));
    },
    ...onDispose(() => {
      for (const socket of connecting) socket.destroy(new Error('The connection is wanted no more'));
      connecting.clear();
    }),
  };
}

/** undici gives back the socket that it opens, which its types do not say. */
function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'destroy' in value && typeof value.destroy === 'function';
}
