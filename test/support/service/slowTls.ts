import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

interface SlowTls {
  readonly port: number;
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

export interface SlowTlsOptions {
  /** The server that it stands before, on 127.0.0.1. */
  readonly port: number;
  /** Milliseconds that each piece of what the server says waits. */
  readonly delayMs?: number;
  /** Bytes of what the server says that pass; then silence. */
  readonly passes?: number;
}

/** Stands before a TLS server, and holds up what it says: a handshake that is slow, or that stops halfway. */
export async function startSlowTls(options: SlowTlsOptions): Promise<SlowTls> {
  const { port, delayMs = 0, passes = Number.POSITIVE_INFINITY } = options;
  const sockets = new Set<Socket>();
  const server = createServer((outer) => {
    const inner = connect(port, '127.0.0.1');
    sockets.add(outer);
    outer.on('close', () => sockets.delete(outer));
    for (const [from, to] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
    outer.on('data', (bytes) => inner.write(bytes));
    let left = passes;
    let last = Promise.resolve();
    inner.on('data', (bytes) => {
      const part = bytes.subarray(0, left);
      left -= part.length;
      last = last.then(() => wait(delayMs)).then(() => void (part.length > 0 && outer.write(part)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
