import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { DriverHandlers } from './driver/driver.ts';

/** The line to the driver in the extension host: each host that starts connects anew, and the last one is asked. */
export interface DriverLink {
  /** For the environment of VS Code. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when an extension host has connected that was not there before. To be called before it starts. */
  connected(): Promise<void>;
  call<K extends keyof DriverHandlers>(
    name: K,
    ...args: Parameters<DriverHandlers[K]>
  ): Promise<Awaited<ReturnType<DriverHandlers[K]>>>;
  close(): void;
}

const CONNECTS_WITHIN_MS = 60_000;
const ANSWERS_WITHIN_MS = 120_000;

export async function openDriverLink(): Promise<DriverLink> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const sockets = new Set<Socket>();
  let last: Socket | undefined;
  let lastId = 0;
  let next = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    last = socket;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    createInterface(socket).on('line', (line) => {
      const { id, value, error } = JSON.parse(line);
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) asked?.resolve(value);
      else asked?.reject(new Error(error));
    });
    next.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    env: { LIVE_STREAMS_BENCH_PORT: String(port) },
    connected() {
      next = Promise.withResolvers();
      return within(CONNECTS_WITHIN_MS, next.promise, 'No extension host has connected');
    },
    call(name, ...args) {
      const asked = Promise.withResolvers<unknown>();
      lastId += 1;
      waiting.set(lastId, asked);
      last?.write(`${JSON.stringify({ id: lastId, name, args })}\n`);
      const answer = within(ANSWERS_WITHIN_MS, asked.promise, `The driver did not answer ${name}`);
      // What it answers is what the function of this name returns.
      return answer as Promise<Awaited<ReturnType<DriverHandlers[typeof name]>>>;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function within<T>(ms: number, promise: Promise<T>, otherwise: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${otherwise} within ${ms / 1000} s`)), ms);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
