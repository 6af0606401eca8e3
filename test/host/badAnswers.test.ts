import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaultAnswer } from '../support/demo/demoService.ts';
import { sampleOf } from '../support/runner/fuzzRuns.ts';
import { eventually } from './eventually.ts';
import { type Product, withProduct } from './product.ts';

interface BadAnswer {
  readonly what: string;
  /** Only the deadline ends it. Others get time enough for a machine that is busy. */
  /** Whether trying again may help. */
  readonly isOutage?: boolean;
  readonly isEndless?: boolean;
  /** `elsewhere` is the address of another server, which must not be asked. */
  readonly answer: (elsewhere: string) => FaultAnswer;
  readonly connecting: RegExp;
  readonly onScreen: RegExp;
}

const MB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

async function* hugeList(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('["');
  const part = Buffer.alloc(MB, 'x');
  for (let sent = 0; sent < 300; sent++) yield part;
  yield Buffer.from('"]');
}

async function* drip(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.from(' ');
    await wait(50);
  }
}

const BAD_ANSWERS: readonly BadAnswer[] = [
  {
    what: 'HTML',
    answer: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in' }),
    connecting: /returned a web page\. Check the URL, or check for a sign-in page\./,
    onScreen: /\S+ returned a web page/,
  },
  {
    what: 'a redirect to another host',
    answer: (location) => ({ status: 302, headers: { location } }),
    connecting: /redirected the request\. Enter the URL that it redirects to\./,
    onScreen: /redirected the request\. Enter the URL that it redirects to\./,
  },
  {
    what: 'a permanent redirect to another host',
    answer: (location) => ({ status: 308, headers: { location } }),
    connecting: /redirected the request\. Enter the URL that it redirects to\./,
    onScreen: /redirected the request\. Enter the URL that it redirects to\./,
  },
  {
    what: '204',
    answer: () => ({ status: 204 }),
    connecting: /returned an empty response\. Check the URL\./,
    onScreen: /returned an empty response\. Check the URL\./,
  },
  {
    what: 'an object where an array is due',
    answer: () => ({ status: 200, headers: JSON_TYPE, body: '{"streams":[]}' }),
    connecting: /Unexpected data in the response from .+\. Check the URL\./,
    onScreen: /Unexpected data in the response from \S+\. Check the URL\./,
  },
  {
    what: 'truncated JSON',
    answer: () => ({ status: 200, headers: JSON_TYPE, body: '[{"id":"a","name":"b' }),
    connecting: /Couldn't read the response from /,
    onScreen: /Couldn't read the response from \S+\. Check the URL\./,
  },
  {
    what: '300 MB',
    answer: () => ({ status: 200, headers: JSON_TYPE, body: hugeList() }),
    connecting: /The response from .+ is too large\./,
    onScreen: /The response from \S+ is too large\./,
  },
  {
    what: 'a body that never ends',
    isEndless: true,
    answer: () => ({ status: 200, headers: JSON_TYPE, body: drip() }),
    connecting: /took too long to respond/,
    onScreen: /took too long to respond/,
  },
  {
    what: 'nothing, ever',
    isEndless: true,
    answer: () => 'hang',
    connecting: /took too long to respond/,
    onScreen: /took too long to respond/,
  },
  {
    what: 'a connection that is cut',
    isOutage: true,
    answer: () => 'reset',
    connecting: /Lost the connection to /,
    onScreen: /Couldn't reach/,
  },
  {
    what: '500',
    isOutage: true,
    answer: () => ({ status: 500, headers: JSON_TYPE, body: '{"errors":["boom"]}' }),
    connecting: /is unavailable \(500\)/,
    onScreen: /is unavailable \(500\)/,
  },
];

/** Runs with another server that notes whatever it is sent. */
async function withOtherHost(run: (address: string, seen: readonly IncomingMessage[]) => Promise<void>): Promise<void> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    response.end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await run(`http://localhost:${port}/api/stream`, seen);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function assertKeyIsNowhere({ window, log, service, state }: Product): void {
  for (const text of [window.readable(), log.join(), state()]) assert.ok(!text.includes(service.apiKey));
}

describe('A bad answer of a service', () => {
  for (const { what, isOutage, isEndless, answer, connecting, onScreen } of sampleOf(BAD_ANSWERS, 5)) {
    const seconds = isEndless ? 1.5 : 15;
    const settings = { 'network.timeout': seconds };

    it(
      `is not connected to: ${what}. The answer is said in time, nothing is stored, and the key goes nowhere else`,
      withProduct({ isConnected: false, settings }, async (product) => {
        await withOtherHost(async (elsewhere, seen) => {
          const { baseUrl, apiKey, control } = product.service;
          control.fault(() => answer(elsewhere));
          const startedAt = Date.now();
          await product.run('addConnection', { name: 'A', baseUrl, apiKey });
          assert.ok(Date.now() - startedAt < (seconds + 10) * 1000, `${Date.now() - startedAt} ms`);
          assert.equal(product.window.said.length, 1);
          assert.match(product.window.said[0]?.text ?? '', connecting);
          const ways = isOutage || isEndless ? ['Retry', 'Change URL…'] : ['Change URL…', 'Retry'];
          if (isEndless) ways.push('Open Settings');
          assert.deepEqual(product.window.said[0]?.actions, [...ways, 'Show Log']);
          assert.deepEqual(await product.secretKeys(), []);
          assert.deepEqual(seen, []);
          assertKeyIsNowhere(product);
        });
      }),
    );

    it(
      `keeps its rows on screen after ${what}, and the view says what is wrong`,
      withProduct({ settings }, async (product) => {
        await withOtherHost(async (elsewhere, seen) => {
          const before = await drawn(product);
          assert.ok(before.length > 3);
          product.service.control.fault(() => answer(elsewhere));
          await product.run('refresh');
          await eventually(() => assert.match(product.view.message ?? '', onScreen));
          assert.deepEqual(await drawn(product), before);
          assert.deepEqual(seen, []);
          assertKeyIsNowhere(product);
          product.service.control.fault(undefined);
          await product.run('refresh');
          await eventually(() => assert.equal(product.view.message ?? '', ''));
        });
      }),
    );
  }

  it(
    'is said in one message with when it is tried again, which is taken back at once when the service responds',
    withProduct({ settings: { notifications: ['streamStarted'] } }, async ({ view, service, run, rows }) => {
      await rows();
      const said: string[] = [];
      Object.defineProperty(view, 'message', { get: () => said.at(-1), set: (text: string) => void said.push(text) });
      service.control.fault(() => ({ status: 500 }));
      await run('refresh');
      await eventually(() => assert.equal(said.length, 1));
      service.control.fault(undefined);
      await run('refresh');
      await eventually(() => assert.equal(said.at(-1), ''));
      assert.match(said[0] ?? '', /is unavailable \(500\)\. Last updated: .*\. Retrying at [^.]+\.$/);
      assert.equal(said.length, 2, said.join('\n'));
    }),
  );

  it(
    'costs no more memory than is read of 300 MB',
    withProduct({ isConnected: false, settings: { 'network.timeout': 20 } }, async (product) => {
      const { baseUrl, apiKey, control } = product.service;
      control.fault(() => ({ status: 200, headers: JSON_TYPE, body: hugeList() }));
      const before = process.memoryUsage().arrayBuffers;
      let most = 0;
      const watching = setInterval(() => {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }, 5);
      await product.run('addConnection', { name: 'A', baseUrl, apiKey });
      clearInterval(watching);
      assert.match(product.window.said[0]?.text ?? '', /The response from .+ is too large\./);
      assert.ok(most < 200 * MB, `${Math.round(most / MB)} MB`);
    }),
  );

  it(
    'asks the service itself for a next page on another host',
    withProduct({}, async (product) => {
      await withOtherHost(async (elsewhere, seen) => {
        const page = (from: number) =>
          JSON.stringify(
            Array.from({ length: 20 }, (_, index) => ({ id: `s${from + index}`, name: `S${from + index}` })),
          );
        product.service.control.fault(({ path, query }) => {
          if (path !== '/api/stream') return undefined;
          const isNext = query.includes('cursor=');
          const link = isNext ? {} : { link: `<${elsewhere}?cursor=skip20>; rel="next"` };
          return { status: 200, headers: { ...JSON_TYPE, ...link }, body: page(isNext ? 20 : 0) };
        });
        const idle = await eventually(async () => {
          const group = (await product.rows()).find((row) => row.contextValue === 'group.idle');
          assert.ok(group && (await product.rows(group)).some(({ label }) => label === 'Load More'));
          return group;
        });
        await product.run('loadMore', idle.node);
        assert.ok((await product.rows(idle)).some(({ label }) => label === 'S39'));
        assert.ok(product.requests().some((line) => line.includes('cursor=skip20')));
        assert.deepEqual(seen, []);
      });
    }),
  );

  it(
    'still has a tree from rows nobody could foresee',
    withProduct({}, async (product) => {
      const rows = [
        { name: 'no id' },
        { id: '../x', name: 'bad id' },
        null,
        7,
        { id: 'same', name: 'First' },
        { id: 'same', name: 'Second' },
        { id: 'number', name: 12 },
        { id: 'long', name: 'n'.repeat(10_000) },
        { id: 'html', name: '<img src=x onerror=alert(1)> [a](command:x) $(flame) | **b**' },
        { id: 'rtl', name: '\u202Egnp.exe \u05D0\u05D1' },
        { id: 'odd', name: null, isActive: 'false', createdAt: 'x', lastSeen: -1, profiles: 'p', streamKey: 7 },
      ];
      product.service.control.fault(() => ({ status: 200, headers: JSON_TYPE, body: JSON.stringify(rows) }));
      const idle = (await product.rows()).find((row) => row.contextValue === 'group.idle');
      const labels = (await product.rows(idle)).map(({ label }) => label);
      assert.equal(labels.length, 6, labels.join('\n'));
      for (const label of ['First', '12', 'odd']) assert.ok(labels.includes(label), label);
      for (const label of labels) assert.ok(label.length < 1_100 && !label.includes('\n'));
      const warnings = new Set(product.log.filter((line) => line.startsWith('warn')));
      assert.deepEqual([...warnings], ['warn: GET /stream: left out 4 unreadable rows']);
      product.service.control.fault(undefined);
      await product.run('refresh');
      assert.ok((await drawn(product)).length > 3);
    }),
  );
});

/** Labels of the groups and of the streams below them. */
async function drawn(product: Product): Promise<readonly string[]> {
  const groups = (await product.rows()).filter(({ contextValue }) => contextValue.startsWith('group.'));
  const below = await Promise.all(groups.map((group) => product.rows(group)));
  return [groups, ...below].flat().flatMap(({ label, contextValue }) => (contextValue === 'retry' ? [] : [label]));
}
