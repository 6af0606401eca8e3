import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type AmfObject, type AmfValue, encodeAmf } from '../media/amf.ts';
import { MESSAGE, type RtmpMessage } from '../media/chunks.ts';
import type { MediaPacket } from '../media/flv.ts';
import { isProtocolError } from '../media/protocolError.ts';
import { RtmpConnection, readCommand } from '../media/rtmpConnection.ts';
import type { Disposable } from '../util/disposable.ts';
import { isRecord } from '../util/isRecord.ts';
import { BroadcastError, type BroadcastErrorReason } from './errors.ts';
import type { Ingest } from './ingest.ts';

/** The progress of a connection. */
type PublishStep = 'connected' | 'accepted';

export interface PublisherOptions {
  /** Used only until the server has accepted. After that, end the broadcast with `finish`. */
  readonly signal: AbortSignal;
  readonly onStep?: (step: PublishStep) => void;
  /** For each step: connection, handshake, connect, createStream, publish. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 10_000;
const CHUNK_SIZE = 4096;
/** Larger than any video frame: beyond this, responses are waiting. */
const MOST_UNSENT_BYTES = 4 * 1024 * 1024;
/** Messages from the server: pings, acknowledgements, and responses. There are a few a second. */
const MOST_MESSAGES = 100_000;
/** How long sending the remaining bytes may take when a broadcast ends. */
const LAST_BYTES_MS = 800;

interface Pending {
  readonly resolve: (args: readonly AmfValue[]) => void;
  readonly reject: (error: Error) => void;
}

type Phase = 'opening' | 'connecting' | 'publishing' | 'live';

/**
 * Connects to an RTMP server and starts publishing. If it rejects with a BroadcastError or the reason of the signal,
 * the socket is closed. Certificates are checked as for any TLS connection.
 */
export async function openPublisher(ingest: Ingest, options: PublisherOptions): Promise<Publisher> {
  const { signal } = options;
  signal.throwIfAborted();
  const publisher = new Publisher(ingest, options);
  const onAbort = (): void => publisher.end(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await publisher.start();
    return publisher;
  } catch (error) {
    publisher.dispose();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** One connection that publishes. `ended` aborts, with the error as its reason, when it ends by itself. */
export class Publisher implements Disposable {
  readonly #ingest: Ingest;
  readonly #options: PublisherOptions;
  readonly #socket: Socket;
  readonly #ended = new AbortController();
  readonly #pending = new Map<number, Pending>();
  #connection: RtmpConnection | undefined;
  #onReady: (() => void) | undefined;
  #phase: Phase = 'opening';
  #transaction = 0;
  #streamId = 0;

  constructor(ingest: Ingest, options: PublisherOptions) {
    this.#ingest = ingest;
    this.#options = options;
    this.#socket = openSocket(ingest);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (bytes) => this.#receive(bytes));
    this.#socket.on('error', (error) => this.end(networkError(error)));
    this.#socket.on('close', () => this.end(this.#closedError()));
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Bytes that haven't been sent yet. */
  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  get sentBytes(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength;
  }

  async start(): Promise<void> {
    await this.#step('connection', (resolve) => {
      this.#socket.once(this.#ingest.isEncrypted ? 'secureConnect' : 'connect', resolve);
    });
    this.#options.onStep?.('connected');
    await this.#step('handshake', (resolve) => {
      this.#onReady = resolve;
      const write = (bytes: Buffer): void => this.#write(bytes);
      this.#connection = new RtmpConnection({ side: 'client', write, mostMessages: MOST_MESSAGES });
    });
    this.#connection?.setChunkSize(CHUNK_SIZE);
    const { app, tcUrl, streamName } = this.#ingest;
    this.#phase = 'connecting';
    await this.#call(0, [
      'connect',
      { app, type: 'nonprivate', flashVer: 'FMLE/3.0 (compatible; Live Streams)', tcUrl },
    ]);
    // Some servers need these two commands, but no server has to respond to them.
    this.#send(0, ['releaseStream', null, streamName]);
    this.#send(0, ['FCPublish', null, streamName]);
    this.#streamId = streamIdOf(await this.#call(0, ['createStream', null]));
    this.#phase = 'publishing';
    await this.#call(this.#streamId, ['publish', null, streamName, 'live']);
    this.#phase = 'live';
    this.#options.onStep?.('accepted');
  }

  sendMetadata(metadata: AmfObject): void {
    const payload = encodeAmf(['@setDataFrame', 'onMetaData', metadata]);
    this.#sendMessage({ type: MESSAGE.data, timestamp: 0, payload });
  }

  /** @param timestamp in milliseconds, from 0 on each connection */
  sendPacket({ kind, body }: MediaPacket, timestamp: number): void {
    this.#sendMessage({ type: MESSAGE[kind], timestamp: timestamp >>> 0, payload: body });
  }

  /** Ends the broadcast as RTMP does and closes the socket within a second. */
  async finish(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#send(0, ['FCUnpublish', null, this.#ingest.streamName]);
    this.#send(0, ['deleteStream', null, this.#streamId]);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LAST_BYTES_MS);
      this.#socket.end(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.dispose();
  }

  dispose(): void {
    this.end(new BroadcastError('closed', 'The broadcast has ended'));
  }

  #write(bytes: Buffer): void {
    if (this.#socket.writableLength > MOST_UNSENT_BYTES) {
      throw new BroadcastError('protocol', 'The server asks without reading the answers');
    }
    this.#socket.write(bytes);
  }

  #sendMessage(message: Omit<RtmpMessage, 'streamId'>): void {
    if (!this.#ended.signal.aborted) this.#connection?.send({ ...message, streamId: this.#streamId });
  }

  #send(streamId: number, [name, ...args]: readonly [string, ...AmfValue[]]): number {
    this.#transaction += 1;
    this.#connection?.sendCommand(streamId, [name, this.#transaction, ...args]);
    return this.#transaction;
  }

  #call(streamId: number, command: readonly [string, ...AmfValue[]]): Promise<readonly AmfValue[]> {
    let transaction: number | undefined;
    const answered = this.#step<readonly AmfValue[]>(command[0], (resolve, reject) => {
      transaction = this.#send(streamId, command);
      this.#pending.set(transaction, { resolve, reject });
    });
    return answered.finally(() => transaction !== undefined && this.#pending.delete(transaction));
  }

  /** Runs one step with its deadline. Also rejects if the connection ends. */
  #step<T = void>(
    what: string,
    begin: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(
      () => reject(new BroadcastError('timeout', `The server did not complete: ${what}`)),
      this.#options.deadlineMs ?? DEADLINE_MS,
    );
    const onEnd = (): void => reject(this.ended.reason);
    if (this.ended.aborted) onEnd();
    else this.ended.addEventListener('abort', onEnd, { once: true });
    begin(resolve, reject);
    return promise.finally(() => {
      clearTimeout(timer);
      this.ended.removeEventListener('abort', onEnd);
    });
  }

  #receive(bytes: Buffer): void {
    try {
      for (const message of this.#connection?.push(bytes) ?? []) this.#handle(message);
      if (this.#connection?.isReady === true) this.#onReady?.();
    } catch (error) {
      this.end(isProtocolError(error) ? new BroadcastError('protocol', error.message, { cause: error }) : error);
    }
  }

  #handle(message: RtmpMessage): void {
    const command = readCommand(message);
    if (command === undefined) return;
    const { name, transaction, args } = command;
    const pending = this.#pending.get(transaction);
    if (name === '_result') pending?.resolve(args);
    else if (name === '_error' && pending !== undefined) pending.reject(this.#refusal(args[1]));
    else if (name === 'onStatus') this.#handleStatus(args[1]);
  }

  #handleStatus(info: AmfValue): void {
    const isError = textOf(info, 'level') === 'error';
    if (isError && this.#phase === 'live') this.end(new BroadcastError('closed', 'The server stopped the broadcast'));
    else if (isError) this.#rejectAll(this.#refusal(info));
    // Servers use different transaction IDs for onStatus.
    else if (textOf(info, 'code') === 'NetStream.Publish.Start')
      this.#pending.forEach(({ resolve }) => void resolve([]));
  }

  #refusal(info: AmfValue): BroadcastError {
    const isPublishing = this.#phase === 'publishing';
    const reason = isPublishing ? reasonOf(textOf(info, 'code'), textOf(info, 'description')) : 'appRejected';
    return new BroadcastError(reason, 'The server answered with an error');
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
  }

  // For a wrong application or key, most servers close the connection without a reason.
  #closedError(): BroadcastError {
    if (this.#phase === 'connecting')
      return new BroadcastError('appRejected', 'The server closed the connection instead of accepting it');
    return this.#phase === 'publishing'
      ? new BroadcastError('keyRejected', 'The server closed the connection instead of publishing')
      : new BroadcastError('closed', 'The server closed the connection');
  }

  /** Closes the socket immediately. */
  end(reason: unknown): void {
    if (!this.#ended.signal.aborted) {
      const isReset = reason instanceof BroadcastError && reason.reason === 'closed';
      this.#ended.abort(isReset ? this.#closedError() : reason);
    }
    this.#socket.destroy();
  }
}

function openSocket({ isEncrypted, host, port }: Ingest): Socket {
  if (!isEncrypted) return connectTcp({ host, port });
  return connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) });
}

// There is no common code for a wrong key. Many servers send BadName, which RTMP defines for a name in use.
function reasonOf(code: string, description: string): BroadcastErrorReason {
  if (/already|in use/i.test(description)) return 'keyInUse';
  if (/BadName|BadAuth|Unauthorized|NotFound/i.test(code) || /\bkey\b|auth|credential/i.test(description))
    return 'keyRejected';
  return /Denied|Rejected|Forbidden/i.test(code) || /denied|not allowed/i.test(description)
    ? 'publishDenied'
    : 'publishFailed';
}

function streamIdOf(args: readonly AmfValue[]): number {
  const [, id] = args;
  if (typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < 2 ** 32) return id;
  throw new BroadcastError('protocol', 'The server created a stream without a number');
}

function textOf(info: AmfValue, key: string): string {
  const value = isRecord(info) ? info[key] : undefined;
  return typeof value === 'string' ? value : '';
}

const REASONS: Readonly<Record<string, BroadcastErrorReason>> = {
  ENOTFOUND: 'nameNotFound',
  EAI_AGAIN: 'nameNotFound',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  ETIMEDOUT: 'timeout',
};
// OpenSSL's names for rejected certificates, and Node's for a certificate of another host.
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT|HOSTNAME_MISMATCH/;

function networkError(error: Error & { readonly code?: unknown }): BroadcastError {
  const code = typeof error.code === 'string' ? error.code : '';
  const reason = REASONS[code] ?? (CERTIFICATE.test(code) ? 'certificate' : 'unreachable');
  return new BroadcastError(reason, `The connection failed: ${code === '' ? error.name : code}`);
}
