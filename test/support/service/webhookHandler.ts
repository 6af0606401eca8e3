import { once } from 'node:events';
import { checkSignature, signatureOf } from '../../../src/model/webhooks/signature.ts';
import { startServer } from './testServer.ts';

interface HandledEvent {
  readonly event: string;
  readonly path: string;
  /** What the handler answered. */
  readonly status: number;
}

/** A webhook handler as people write one, on loopback: it refuses what isn't signed with its secret. */
export interface WebhookHandler {
  /** http://localhost:PORT */
  readonly url: string;
  /** Oldest first. */
  readonly handled: readonly HandledEvent[];
  secret: string;
  /** Whether it answers 500. */
  isBroken: boolean;
  /** Nothing listens at its URL until it starts again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startWebhookHandler(): Promise<WebhookHandler> {
  const handled: HandledEvent[] = [];
  const server = await startServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const signature = signatureOf(Object.fromEntries(Object.entries(request.headersDistinct).map(joinValues))) ?? '';
    const isSigned = checkSignature(signature, body, handler.secret) === 'valid';
    const status = !isSigned ? 401 : handler.isBroken ? 500 : 200;
    const { event }: { readonly event: string } = JSON.parse(body);
    handled.push({ event, path: request.url ?? '', status });
    response.writeHead(status, { 'Content-Type': 'text/plain' }).end(handler.isBroken ? 'It broke' : 'Handled');
  });
  const url = server.url.replace('127.0.0.1', 'localhost');
  const start = async (): Promise<void> => {
    server.server.listen(Number(new URL(url).port), '127.0.0.1');
    await once(server.server, 'listening');
  };
  const { close } = server;
  const handler: WebhookHandler = { url, handled, secret: '', isBroken: false, stop: close, start, close };
  return handler;
}

function joinValues([name, values]: readonly [string, readonly string[] | undefined]): [string, string] {
  return [name, values?.join(',') ?? ''];
}
