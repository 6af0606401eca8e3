import assert from 'node:assert/strict';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type DemoOptions, type DemoService, startDemo } from '../../support/demo/demoService.ts';
import { type HeldClock, heldClock } from '../../support/model/heldClock.ts';

export const MEDIA_ROOT = fileURLToPath(new URL('../../../media/demo', import.meta.url));

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly text: string;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request over a connection of its own, sent to the letter: no client adds or mends anything. */
export function send(url: string, options: CallOptions = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const { hostname, port, origin } = new URL(url);
    const sent = request(
      { hostname, port, method, path: url.slice(origin.length) || '/', headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const whole = Buffer.concat(chunks);
          const plain = response.headers as Record<string, string | undefined>;
          resolve({ status: response.statusCode ?? 0, headers: plain, body: whole, text: whole.toString() });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export type Row = Readonly<Record<string, unknown>>;

export interface Fixture {
  readonly demo: DemoService;
  readonly clock: HeldClock;
  readonly origin: string;
  /** Sends a request below the base URL, with the key. */
  call(path: string, options?: CallOptions): Promise<Reply>;
  /** The rows of a list that is answered 200. */
  rows(path: string): Promise<readonly Row[]>;
  /** The object that is answered 200. */
  row(path: string): Promise<Row>;
}

/** Runs a test against a service of its own, with a held clock and the same seed each time. */
export function withDemo(
  options: Partial<DemoOptions>,
  test: (fixture: Fixture) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const clock = heldClock();
    const demo = await startDemo({ clock, mediaRoot: MEDIA_ROOT, seed: 1, isLively: false, ...options });
    try {
      await test(fixtureOf(demo, clock));
    } finally {
      demo.dispose();
    }
  };
}

function fixtureOf(demo: DemoService, clock: HeldClock): Fixture {
  const call = (path: string, { headers, ...rest }: CallOptions = {}) =>
    send(demo.baseUrl + path, { ...rest, headers: { authorization: `Bearer ${demo.apiKey}`, ...headers } });
  const read = async (path: string): Promise<unknown> => {
    const reply = await call(path);
    assert.equal(reply.status, 200, `${path}: ${reply.text.slice(0, 200)}`);
    return JSON.parse(reply.text);
  };
  return {
    demo,
    clock,
    origin: new URL(demo.baseUrl).origin,
    call,
    rows: async (path) => {
      const rows = await read(path);
      assert.ok(Array.isArray(rows));
      return rows;
    },
    row: async (path) => (await read(path)) as Row,
  };
}

/** The filters parameter. */
export function filters(...list: readonly Row[]): string {
  return `filters=${encodeURIComponent(JSON.stringify(list))}`;
}

/** The rows' values of a field. */
export function field(rows: readonly Row[], name: string): readonly unknown[] {
  return rows.map((row) => row[name]);
}

export function errorsOf(reply: Reply): readonly string[] {
  const { errors } = JSON.parse(reply.text) as { errors: readonly string[] };
  return errors;
}
