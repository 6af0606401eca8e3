import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface TestServer {
  readonly url: string;
  readonly server: Server;
  readonly requests: IncomingMessage[];
  /** Connections that are open now. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** A real server on 127.0.0.1. */
export async function startServer(listener: RequestListener, server: Server = createServer()): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  server.on('request', (request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    requests,
    sockets,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
