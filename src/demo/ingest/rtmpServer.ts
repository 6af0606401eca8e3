import type { Server, Socket } from 'node:net';
import type { AmfObject } from '../../media/amf.ts';
import { MESSAGE, type RtmpMessage } from '../../media/chunks.ts';
import { isProtocolError, ProtocolError } from '../../media/protocolError.ts';
import { type RtmpCommand, RtmpConnection, readCommand } from '../../media/rtmpConnection.ts';
import type { Clock, Log } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { isRecord } from '../../util/isRecord.ts';

/** The receiver of one accepted broadcast. */
export interface Publication {
  /** Takes an audio or video message. Throws a ProtocolError if the broadcast can't continue. */
  take(message: RtmpMessage): void;
  end(): void;
}

/** Why a broadcast is refused, in words for the sender's user. */
export interface PublishRefusal {
  readonly refusal: string;
  readonly isKeyWrong: boolean;
}

interface RtmpServerOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** `disconnect` ends the connection of an accepted broadcast. */
  publish(streamKey: string, disconnect: () => void): Publication | PublishRefusal;
}

const MOST_CONNECTIONS = 8;
const DEADLINE_MS = 10_000;
const MOST_UNSENT_BYTES = 64 * 1024;
const CHUNK_BYTES = 4096;
const WINDOW_BYTES = 2_500_000;
const APPLICATION = 'live';
const PUBLISHING_STREAM = 1;

/** Receives broadcasts over RTMP. Disposing stops listening and closes all connections immediately. */
export class RtmpServer implements Disposable {
  readonly #server: Server;
  readonly #connections = new Set<PublisherConnection>();

  constructor(server: Server, options: RtmpServerOptions) {
    this.#server = server;
    server.on('connection', (socket) => {
      if (this.#connections.size >= MOST_CONNECTIONS) {
        socket.destroy();
        return;
      }
      const connection = new PublisherConnection(socket, options);
      this.#connections.add(connection);
      socket.once('close', () => this.#connections.delete(connection));
    });
  }

  dispose(): void {
    this.#server.close();
    for (const connection of this.#connections) connection.close();
  }
}

/** One sender. Disconnects it if it makes no progress for ten seconds. */
class PublisherConnection {
  readonly #socket: Socket;
  readonly #options: RtmpServerOptions;
  readonly #rtmp: RtmpConnection;
  #publication: Publication | undefined;
  #isConnected = false;
  #hasProgress = false;
  #deadline: Disposable;

  constructor(socket: Socket, options: RtmpServerOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#rtmp = new RtmpConnection({ side: 'server', write: (bytes) => this.#write(bytes) });
    this.#deadline = this.#awaitProgress();
    socket.on('data', (bytes) => this.#receive(bytes));
    // A sender that vanishes isn't an error: its broadcast ends.
    socket.on('error', () => this.close());
    socket.once('close', () => this.close());
  }

  close(): void {
    this.#deadline.dispose();
    this.#socket.destroy();
    this.#endPublication();
  }

  #endPublication(): void {
    const publication = this.#publication;
    this.#publication = undefined;
    publication?.end();
  }

  #write(bytes: Buffer): void {
    if (this.#socket.destroyed) return;
    // The peer keeps sending requests but never reads the responses.
    if (this.#socket.writableLength > MOST_UNSENT_BYTES) throw new ProtocolError('The peer reads nothing');
    this.#socket.write(bytes);
  }

  #awaitProgress(): Disposable {
    return this.#options.clock.setTimeout(() => {
      if (!this.#hasProgress) {
        this.#fail(this.#publication ? 'sent nothing to play for 10 seconds' : 'took too long to begin');
        return;
      }
      this.#hasProgress = false;
      this.#deadline = this.#awaitProgress();
    }, DEADLINE_MS);
  }

  #fail(what: string): void {
    this.#options.log.warn(`Demo: a sender ${what} and was disconnected`);
    this.close();
  }

  #receive(bytes: Buffer): void {
    try {
      // The sender was refused, and doesn't know it yet.
      if (this.#socket.writableEnded) return;
      for (const message of this.#rtmp.push(bytes)) {
        if (this.#socket.destroyed || this.#socket.writableEnded) return;
        this.#handle(message);
      }
    } catch (error) {
      const { log } = this.#options;
      if (isProtocolError(error)) log.warn(`Demo: a sender was disconnected: ${error.message}`);
      else log.error('Demo: a broadcast failed', error);
      this.close();
    }
  }

  #handle(message: RtmpMessage): void {
    if (message.type === MESSAGE.audio || message.type === MESSAGE.video) {
      this.#hasProgress = this.#publication !== undefined;
      this.#publication?.take(message);
      return;
    }
    const command = readCommand(message);
    if (command !== undefined) this.#obey(command);
  }

  #obey(command: RtmpCommand): void {
    switch (command.name) {
      case 'connect':
        this.#connect(command);
        break;
      case 'createStream':
        this.#rtmp.sendCommand(0, ['_result', command.transaction, null, PUBLISHING_STREAM]);
        break;
      case 'releaseStream':
      case 'FCPublish':
        this.#rtmp.sendCommand(0, ['_result', command.transaction, null, undefined]);
        break;
      case 'publish':
        this.#publish(command);
        break;
      case 'play':
        this.#refuse(command, 'NetStream.Play.Failed', 'Watch this service over HLS');
        break;
      case 'FCUnpublish':
      case 'closeStream':
        this.#endPublication();
        break;
      case 'deleteStream':
        this.#endPublication();
        this.#socket.end();
        break;
      default: // Senders continue without a response to the rest
    }
  }

  #connect({ transaction, args }: RtmpCommand): void {
    const [about] = args;
    const app = isRecord(about) ? String(about.app).replace(/[/?].*$/, '') : '';
    if (app !== APPLICATION) {
      const description = `The application is "${APPLICATION}"`;
      const info = { level: 'error', code: 'NetConnection.Connect.Rejected', description };
      this.#rtmp.sendCommand(0, ['_error', transaction, null, info]);
      this.#socket.end();
      return;
    }
    this.#isConnected = true;
    this.#rtmp.setWindowSize(WINDOW_BYTES);
    this.#sendPeerBandwidth();
    this.#rtmp.setChunkSize(CHUNK_BYTES);
    const info = { level: 'status', code: 'NetConnection.Connect.Success', description: '', objectEncoding: 0 };
    this.#rtmp.sendCommand(0, ['_result', transaction, { fmsVer: 'FMS/3,0,1,123', capabilities: 31 }, info]);
  }

  #sendPeerBandwidth(): void {
    const dynamic = 2;
    const payload = Buffer.alloc(5, dynamic);
    payload.writeUInt32BE(WINDOW_BYTES);
    this.#rtmp.send({ type: MESSAGE.peerBandwidth, streamId: 0, timestamp: 0, payload });
  }

  #publish(command: RtmpCommand): void {
    const [, key] = command.args;
    if (!this.#isConnected || this.#publication !== undefined || typeof key !== 'string') {
      throw new ProtocolError('The peer publishes out of turn');
    }
    const result = this.#options.publish(key.replace(/\?.*$/s, ''), () => this.close());
    if ('refusal' in result) {
      const code = result.isKeyWrong ? 'NetStream.Publish.BadName' : 'NetStream.Publish.Denied';
      this.#refuse(command, code, result.refusal);
      return;
    }
    this.#publication = result;
    this.#hasProgress = true;
    this.#sendStreamBegin();
    this.#sendStatus(command.streamId, { level: 'status', code: 'NetStream.Publish.Start', description: '' });
  }

  #sendStreamBegin(): void {
    const payload = Buffer.alloc(6);
    payload.writeUInt32BE(PUBLISHING_STREAM, 2);
    this.#rtmp.send({ type: MESSAGE.userControl, streamId: 0, timestamp: 0, payload });
  }

  #refuse({ streamId }: RtmpCommand, code: string, description: string): void {
    this.#options.log.info(`Demo: a sender was refused: ${description}`);
    this.#sendStatus(streamId, { level: 'error', code, description });
    this.#socket.end();
  }

  #sendStatus(streamId: number, info: AmfObject): void {
    this.#rtmp.sendCommand(streamId, ['onStatus', 0, null, info]);
  }
}
