// A service in a process of its own, with accounts of any size.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Account, type AccountOptions, API_KEY, type Fields, NOW } from './account.ts';
import { serve } from './ownWorker.ts';

export interface SeenRequest {
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** Of the answer with its head, as they went over the connection. */
  readonly bytes: number;
  /** When its last byte was given to the system, epoch ms. */
  readonly answeredAt: number;
}

const accounts = new Map<string, { readonly account: Account; seen: SeenRequest[] }>();
const server = createServer((request, response) => answer(request, response));
server.keepAliveTimeout = 60_000;
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://service.test');
  const [, name = '', , ...parts] = url.pathname.split('/');
  const found = accounts.get(name);
  if (found === undefined) return void response.writeHead(404).end();
  // Live streams are judged by it.
  response.setHeader('date', new Date(NOW).toUTCString());
  const { socket } = request;
  const before = socket.bytesWritten;
  response.on('finish', () => {
    const path = `/${parts.join('/')}${url.search}`;
    const bytes = socket.bytesWritten - before;
    found.seen.push({ path, status: response.statusCode, bytes, answeredAt: Date.now() });
  });
  if (request.headers.authorization !== `Bearer ${API_KEY}`) return void response.writeHead(401).end();
  const [kind, id] = parts;
  if (kind === 'stream' && id === undefined) {
    answerList(found.account, url, request, response);
    return;
  }
  const json = kind === 'stream' && parts.length === 2 ? found.account.json(id ?? '') : undefined;
  const isSessions = kind === 'session' || parts[2] === 'sessions';
  if (json === undefined && !isSessions) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'application/json' }).end(json ?? '[]');
}

function answerList(account: Account, url: URL, request: IncomingMessage, response: ServerResponse): void {
  const { body, etag, nextCursor, total } = account.list(url.searchParams);
  const next = new URL(url);
  next.searchParams.set('cursor', nextCursor ?? '');
  const headers = {
    'content-type': 'application/json',
    etag,
    ...(url.searchParams.get('count') === '1' && { 'x-total-count': String(total) }),
    ...(nextCursor !== undefined && { link: `<${next.href}>; rel="next"` }),
  };
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

function accountOf(name: string) {
  const found = accounts.get(name);
  if (found === undefined) throw new Error(`There is no account ${name}`);
  return found;
}

const handlers = {
  /** @returns its base URL. */
  addAccount(name: string, options: AccountOptions): string {
    accounts.set(name, { account: new Account(options), seen: [] });
    return `http://127.0.0.1:${port}/${name}/api`;
  },
  change(name: string, changes: readonly (readonly [index: number, fields: Fields])[]): void {
    for (const [index, fields] of changes) accountOf(name).account.change(index, fields);
  },
  /** The requests since the last call. */
  takeSeen(name: string): readonly SeenRequest[] {
    return accountOf(name).seen.splice(0);
  },
};

export type ServiceHandlers = typeof handlers;
serve(handlers);
