import { connect, type Socket } from 'node:net';
import type { AmfValue } from '../../../src/media/amf.ts';
import type { RtmpMessage } from '../../../src/media/chunks.ts';
import { RtmpConnection, readCommand } from '../../../src/media/rtmpConnection.ts';
import { isRecord } from '../../../src/util/isRecord.ts';
import { waitUntil } from '../page/waitUntil.ts';

/** A sender that does only what it is told, wrong or right. */
export interface RtmpPublisher {
  readonly socket: Socket;
  readonly rtmp: RtmpConnection;
  /** The codes of what the server answered: NetStream.Publish.Start. */
  readonly codes: readonly string[];
  readonly isClosed: boolean;
  command(name: string, ...args: readonly AmfValue[]): void;
  send(messages: readonly RtmpMessage[]): void;
  /** Fails if the server closes the connection first. */
  untilCode(code: string): Promise<void>;
  untilClosed(): Promise<void>;
}

/** Connects to rtmp://HOST:PORT/…, and shakes hands. */
export async function connectPublisher(address: string): Promise<RtmpPublisher> {
  const { hostname, port } = new URL(address.replace(/^rtmp:/, 'http:'));
  const socket = connect(Number(port), hostname);
  const codes: string[] = [];
  const rtmp = new RtmpConnection({ side: 'client', write: (bytes) => void socket.write(bytes) });
  let isClosed = false;
  socket.on('data', (bytes) => {
    for (const message of rtmp.push(bytes)) codes.push(...codesOf(message));
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  let transaction = 0;
  await waitUntil(() => rtmp.isReady || isClosed);
  return {
    ...{ socket, rtmp, codes },
    get isClosed() {
      return isClosed;
    },
    command(name, ...args) {
      transaction += 1;
      rtmp.sendCommand(name === 'publish' ? 1 : 0, [name, transaction, ...args]);
    },
    send: (messages) => {
      for (const message of messages) rtmp.send(message);
    },
    async untilCode(code) {
      await waitUntil(() => codes.includes(code) || isClosed);
      if (!codes.includes(code)) throw new Error(`Closed after ${codes.join(', ')}`);
    },
    async untilClosed() {
      await waitUntil(() => isClosed);
    },
  };
}

/** Connects, and asks to publish: rtmp://HOST:PORT/APP/KEY. What came of it is in `codes`. */
export async function publishTo(address: string): Promise<RtmpPublisher> {
  const publisher = await connectPublisher(address);
  publisher.rtmp.setChunkSize(65_536);
  const [app = '', key = ''] = new URL(address.replace(/^rtmp:/, 'http:')).pathname.slice(1).split('/');
  publisher.command('connect', { app, type: 'nonprivate', tcUrl: 'rtmp://127.0.0.1/live' });
  publisher.command('releaseStream', null, key);
  publisher.command('FCPublish', null, key);
  publisher.command('createStream', null);
  publisher.command('publish', null, key, 'live');
  await waitUntil(() => publisher.isClosed || publisher.codes.some((code) => code.startsWith('NetStream.')));
  return publisher;
}

function codesOf(message: RtmpMessage): readonly string[] {
  const args = readCommand(message)?.args ?? [];
  return args.flatMap((value) => (isRecord(value) && typeof value.code === 'string' ? [value.code] : []));
}
