import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Ending, type Reply, writeReply } from './faultReply.ts';
import { type FaultRequest, readRequests } from './faultRequests.ts';

/** Makes another answer of a good one. Faults are combined by applying one after the other. */
export type Fault = (reply: Reply, request: FaultRequest) => Reply;

export interface FaultService {
  /** 'http://127.0.0.1:PORT' */
  readonly url: string;
  readonly port: number;
  /** As they came, whole. */
  readonly requests: FaultRequest[];
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  /** Connections that were accepted, ever. */
  readonly accepted: number;
  /** Connections on which somebody still waits: for an answer, or for the rest of one. */
  readonly waiting: ReadonlySet<Socket>;
  /** What is done to good answers; undefined: nothing. */
  fault: Fault | undefined;
  /** What is done to a connection before anything was read of it. */
  atConnect: Ending | undefined;
  /** Are connections accepted? */
  readonly isListening: boolean;
  /** With false connections are refused from now on, and those that are there are ended. */
  setListening(isListening: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * A service over bare sockets that breaks every rule on demand: what goes over the wire is written byte by byte, so that no
 * HTTP library on this side mends it. `good` says what is answered where nothing is wrong.
 */
export async function startFaultService(
  good: (request: FaultRequest) => Reply | Promise<Reply>,
): Promise<FaultService> {
  const sockets = new Set<Socket>();
  const waiting = new Set<Socket>();
  const requests: FaultRequest[] = [];
  const switches: Pick<FaultService, 'fault' | 'atConnect'> = { fault: undefined, atConnect: undefined };
  let accepted = 0;

  const server = createServer({ noDelay: true }, (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      waiting.delete(socket);
    });
    if (switches.atConnect === undefined) serve(socket);
    else endAtOnce(socket, switches.atConnect);
  });

  function endAtOnce(socket: Socket, ending: Ending): void {
    if (ending === 'reset') socket.resetAndDestroy();
    else if (ending === 'close') socket.resume().end();
    else socket.once('data', () => waiting.add(socket));
  }

  function serve(socket: Socket): void {
    let last: Promise<boolean> = Promise.resolve(true);
    readRequests(socket, (request) => {
      requests.push(request);
      waiting.add(socket);
      last = last.then((isAlive) => isAlive && answer(socket, request));
    });
  }

  async function answer(socket: Socket, request: FaultRequest): Promise<boolean> {
    const reply = await good(request);
    const isAlive = await writeReply(socket, switches.fault?.(reply, request) ?? reply);
    if (isAlive) waiting.delete(socket);
    return isAlive;
  }

  async function setListening(isListening: boolean, port = 0): Promise<void> {
    if (isListening) {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
      return;
    }
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  }

  await setListening(true);
  const { port } = server.address() as AddressInfo;
  const rest = {
    ...{ url: `http://127.0.0.1:${port}`, port, requests, sockets, waiting },
    get accepted() {
      return accepted;
    },
    get isListening() {
      return server.listening;
    },
    setListening: (isListening: boolean) => setListening(isListening, port),
    close: async () => {
      if (server.listening) await setListening(false);
    },
  };
  // With their getters: Object.assign would copy what they say now.
  return Object.defineProperties(switches, Object.getOwnPropertyDescriptors(rest)) as FaultService;
}

/** One fault after the other, on the same answer. */
export function combine(...faults: readonly Fault[]): Fault {
  return (reply, request) => faults.reduce((changed, fault) => fault(changed, request), reply);
}
