import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { waitUntil } from '../page/waitUntil.ts';
import { startProcess } from '../process/ownProcess.ts';
import { makeTemporaryFolder } from '../process/temporaryFolder.ts';

export interface MediaServer {
  readonly rtmpPort: number;
  /** Serves what is published to /live/KEY as FLV. */
  flvUrl(key: string): string;
  close(): Promise<void>;
}

/** node-media-server in a process of its own, on 127.0.0.1. With `isLocked` it refuses every key. */
export async function startMediaServer({ isLocked = false } = {}): Promise<MediaServer> {
  const folder = makeTemporaryFolder('nms');
  const [rtmpPort, httpPort] = [await freePort(), await freePort()];
  const auth = { play: false, publish: isLocked, secret: 'a secret of the server' };
  const config = {
    bind: '127.0.0.1',
    store: { path: folder },
    auth,
    rtmp: { port: rtmpPort },
    http: { port: httpPort },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const program = join(dirname(createRequire(import.meta.url).resolve('node-media-server')), '../bin/app.js');
  const server = startProcess(process.execPath, [program, '--no-admin', '--config', join(folder, 'config.json')]);
  const stop = async (): Promise<void> => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  await waitUntil(() => isListening(rtmpPort)).catch(async (error: unknown) => {
    await stop();
    throw new Error(server.output(), { cause: error });
  });
  return { rtmpPort, flvUrl: (key) => `http://127.0.0.1:${httpPort}/live/${key}.flv`, close: stop };
}

export interface BareServer {
  readonly port: number;
  /** All sockets so far. */
  readonly sockets: readonly Socket[];
  close(): Promise<void>;
}

/** A TCP server on 127.0.0.1 that does with each connection what it is told. */
export async function startBareServer(onSocket: (socket: Socket) => void): Promise<BareServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined); // what a client does to a socket is not this server's concern
    onSocket(socket);
  });
  const port = await listen(server);
  return {
    port,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
