import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { buildConnector } from '../../../src/api/transport/undici.ts';
import { createConnector } from '../../../src/api/transport/undiciTransport.ts';

describe('A connector that is disposed', () => {
  let server: Server;
  const sockets: Socket[] = [];
  before(async () => {
    server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  const connect = (protocol: 'http:' | 'https:') => {
    const connector = createConnector(buildConnector, { timeout: 0 });
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const connected = new Promise<Socket>((resolve, reject) => {
      const target = { hostname: '127.0.0.1', protocol, port: String(address.port) };
      connector.connect(target, (...[error, socket]) => (error === null ? resolve(socket) : reject(error)));
    });
    return { connector, connected };
  };

  it('ends a connection that is still being made, whose other side says nothing', async () => {
    const accepted = once(server, 'connection');
    const { connector, connected } = connect('https:');
    const [socket] = (await accepted) as [Socket];
    const closed = once(socket, 'close');
    connector.dispose();
    await assert.rejects(connected, /The agent was closed/);
    await closed;
  });

  it('leaves a connection alone that was made: it belongs to whom it was given', async () => {
    const { connector, connected } = connect('http:');
    const socket = await connected;
    connector.dispose();
    assert.equal(socket.destroyed, false);
    socket.destroy();
  });
});
