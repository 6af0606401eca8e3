import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { startServer, type TestServer } from './testServer.ts';

export interface ForwardProxy extends TestServer {
  /** What CONNECT named, in order: 'service.test:443'. */
  readonly tunnels: string[];
  /** Authorization headers that came to the proxy itself in the clear. */
  readonly seen: string[];
}

export interface ForwardProxyOptions {
  /** The Proxy-Authorization it wants. */
  readonly token?: string;
  /** Answered to every CONNECT instead of a tunnel; 0: nothing is, -1: it hangs up. */
  readonly status?: number;
}

/** A real forward proxy: CONNECT to any name ends at that port of this machine. Plain proxying is refused. */
export async function startForwardProxy(
  { token, status }: ForwardProxyOptions = {},
  server: Server = createServer(),
): Promise<ForwardProxy> {
  const tunnels: string[] = [];
  const seen: string[] = [];
  const open = new Set<Duplex>();
  server.on('connect', ({ url = '', headers }, client, head) => {
    tunnels.push(url);
    if (headers.authorization !== undefined) seen.push(headers.authorization);
    open.add(client.on('error', () => {}).on('close', () => open.delete(client)));
    const isLetIn = token === undefined || headers['proxy-authorization'] === token;
    const answer = isLetIn ? status : 407;
    if (answer === -1) return void client.end();
    // Read on, or the end of the other side would not be noticed.
    if (answer === 0) return void client.resume().on('end', () => client.destroy());
    if (answer !== undefined) return void client.end(`HTTP/1.1 ${answer} No\r\ncontent-length: 0\r\n\r\n`);
    const upstream = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  const base = await startServer((request, response) => {
    seen.push(request.headers.authorization ?? '');
    response.writeHead(400).end();
  }, server);
  const close = () => {
    for (const client of open) client.destroy();
    return base.close();
  };
  return { ...base, close, tunnels, seen };
}
