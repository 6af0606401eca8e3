import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { type Answer, failure } from './answer.ts';
import type { DemoRequest, FaultAnswer } from './demoContract.ts';

const MAX_BODY_BYTES = 1024 * 1024;

export type Handler = (request: DemoRequest) => Promise<{
  readonly answer: Answer | FaultAnswer;
  readonly onSent: (status: number) => void;
}>;

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** For the Date header. */
  readonly now: () => number;
}

/** Listens on a free port of 127.0.0.1. `now` gives the Date header. */
export async function listen(handler: Handler, now: () => number): Promise<{ server: Server; port: number }> {
  const server = createServer((incoming, response) => {
    const exchange = { incoming, response, now };
    serve(handler, exchange).catch(() => {
      if (response.headersSent || incoming.destroyed) response.destroy();
      else send(exchange, failure(500, 'The demo failed'));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

async function serve(handler: Handler, exchange: Exchange): Promise<void> {
  const { incoming, response } = exchange;
  const body = await readText(incoming);
  if (body === undefined) return send(exchange, failure(413, 'The body is too large'));
  const { answer, onSent } = await handler(describe(incoming, body));
  if (answer === 'hang') return;
  if (answer === 'reset') return void incoming.socket.resetAndDestroy();
  onSent(answer.status);
  const { body: content = '', headers = {}, status } = answer;
  if (typeof content === 'string' || content instanceof Uint8Array) {
    return send(exchange, { status, headers, body: content });
  }
  response.writeHead(status, headers);
  await pipeline(content, response);
}

function describe(incoming: IncomingMessage, body: string): DemoRequest {
  const [path = '', ...query] = (incoming.url ?? '').split('?');
  return { method: incoming.method ?? 'GET', path, query: query.join('?'), headers: incoming.headers, body };
}

async function readText(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send({ incoming, response, now }: Exchange, answer: Answer): void {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  response.sendDate = false;
  response.writeHead(answer.status, {
    date: new Date(now()).toUTCString(),
    ...(answer.status === 204 || answer.status === 304 ? {} : { 'content-length': String(body.length) }),
    ...answer.headers,
  });
  response.end(incoming.method === 'HEAD' ? undefined : body);
}
