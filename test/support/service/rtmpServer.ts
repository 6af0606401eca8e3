import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { type BroadcastErrorReason, isBroadcastError } from '../../../src/broadcast/errors.ts';
import type { AmfValue } from '../../../src/media/amf.ts';
import { MESSAGE, type RtmpMessage } from '../../../src/media/chunks.ts';
import { RtmpConnection, readCommand } from '../../../src/media/rtmpConnection.ts';
import { waitUntil } from '../page/waitUntil.ts';
import { type OwnProcess, startProcess } from '../process/ownProcess.ts';
import { makeTemporaryFolder } from '../process/temporaryFolder.ts';

export interface MediaServer {
  readonly rtmpPort: number;
  /** Serves what is published to /live/KEY as FLV. */
  flvUrl(key: string): string;
  /** Resolves when somebody reads that. */
  untilPlayed(key: string): Promise<unknown>;
  close(): Promise<void>;
}

/** node-media-server in a process of its own, on 127.0.0.1. With `isLocked` it refuses every key. */
export async function startMediaServer({ isLocked = false } = {}): Promise<MediaServer> {
  const folder = makeTemporaryFolder('nms');
  const config = join(folder, 'config.json');
  // It takes no port 0, and another process may take a free one meanwhile: it ends then.
  for (;;) {
    const ports = { rtmp: await freePort(), http: await freePort() };
    writeFileSync(config, JSON.stringify(mediaServerConfig(folder, ports, isLocked)));
    const server = startProcess(process.execPath, [MEDIA_SERVER, '--no-admin', '--config', config]);
    const hasStarted = () =>
      /Rtmp Server listening/.test(server.output()) && /HTTP server listening/.test(server.output());
    await waitUntil(() => hasStarted() || server.child.exitCode !== null);
    if (hasStarted()) return mediaServerAt(ports, folder, server);
    if (!/already in use/.test(server.output())) throw new Error(server.output());
  }
}

const MEDIA_SERVER = join(dirname(createRequire(import.meta.url).resolve('node-media-server')), '../bin/app.js');

interface Ports {
  readonly rtmp: number;
  readonly http: number;
}

function mediaServerConfig(folder: string, { rtmp, http }: Ports, isLocked: boolean): unknown {
  const auth = { play: false, publish: isLocked, secret: 'a secret of the server' };
  return { bind: '127.0.0.1', store: { path: folder }, auth, rtmp: { port: rtmp }, http: { port: http } };
}

function mediaServerAt({ rtmp, http }: Ports, folder: string, server: OwnProcess): MediaServer {
  return {
    rtmpPort: rtmp,
    flvUrl: (key) => `http://127.0.0.1:${http}/live/${key}.flv`,
    untilPlayed: (key) => waitUntil(() => server.output().includes(`start play /live/${key}`)),
    async close() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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

export interface RtmpServer extends BareServer {
  /** What was published so far. */
  received(): readonly RtmpMessage[];
}

/** Takes every broadcast, in this process. */
export async function startRtmpServer(): Promise<RtmpServer> {
  const received: RtmpMessage[] = [];
  const isMedia = ({ type }: RtmpMessage): boolean => type === MESSAGE.audio || type === MESSAGE.video;
  const server = await startBareServer((socket) => {
    answerPublishing(socket, {}, (message) => void (isMedia(message) && received.push(message)));
  });
  return { ...server, received: () => received };
}

type Answers = Readonly<Record<string, readonly [name: string, info: AmfValue]>>;

/** The server's side of publishing, but for what it is told to answer otherwise. */
export function answerPublishing(socket: Socket, answers: Answers, onMessage?: (message: RtmpMessage) => void): void {
  const connection = new RtmpConnection({ side: 'server', write: (bytes) => void socket.write(bytes) });
  const usual: Answers = {
    connect: ['_result', { code: 'NetConnection.Connect.Success' }],
    createStream: ['_result', 1],
    publish: ['onStatus', { level: 'status', code: 'NetStream.Publish.Start' }],
  };
  socket.on('data', (bytes) => {
    for (const message of connection.push(bytes)) {
      onMessage?.(message);
      const command = readCommand(message);
      const answer = command && (answers[command.name] ?? usual[command.name]);
      if (command === undefined || answer === undefined) continue;
      const transaction = answer[0] === 'onStatus' ? 0 : command.transaction;
      connection.sendCommand(command.streamId, [answer[0], transaction, null, answer[1]]);
    }
  });
}

/** Why a broadcast to a server ended, which has to be an error. */
export async function reasonOf(sending: Promise<unknown>): Promise<BroadcastErrorReason> {
  const error = await sending.then(
    () => assert.fail('It ended without an error'),
    (failure: unknown) => failure,
  );
  assert.ok(isBroadcastError(error), String(error));
  return error.reason;
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
