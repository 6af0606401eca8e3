import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { someBytes } from '../support/service/fileServer.ts';
import { type ForwardProxy, type ForwardProxyOptions, startForwardProxy } from '../support/service/forwardProxy.ts';
import { makeTestCertificates, type TestCertificates } from '../support/service/testCertificates.ts';
import { startServer, type TestServer } from '../support/service/testServer.ts';
import { eventually } from './eventually.ts';
import { type Product, withProduct } from './product.ts';
import { replace } from './replace.ts';

const STREAM = { id: 'a1', name: 'Behind the proxy', isActive: true, lastSeen: Date.now(), createdAt: 1 };
const PASSWORD = 'p@ss-word';
const TOKEN = `Basic ${Buffer.from(`me:${PASSWORD}`).toString('base64')}`;

/** `service.test` is a name that only the proxy knows: what reaches the service came through it. */
const addressOf = (server: TestServer, scheme = 'https') => `${scheme}://service.test:${new URL(server.url).port}/api`;
const withPassword = ({ url }: ForwardProxy, password = PASSWORD) =>
  url.replace('//', `//me:${encodeURIComponent(password)}@`);

async function writeHttp(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const section = vscode.workspace.getConfiguration('http');
  for (const [key, value] of Object.entries(settings)) {
    await section.update(key, value, vscode.ConfigurationTarget.Global);
  }
}

describe('Networks', () => {
  let certificates: TestCertificates;
  const ending: { close(): unknown }[] = [];
  before(() => {
    certificates = makeTestCertificates();
  });
  after(() => certificates.remove());
  afterEach(async () => {
    await writeHttp({ proxy: undefined, noProxy: undefined, proxyStrictSSL: undefined, proxySupport: undefined });
    await vscode.workspace.getConfiguration('liveStreams').update('network.client', undefined, true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const each of ending.splice(0).reverse()) await each.close();
  });

  const kept = <T extends { close(): unknown }>(served: T): T => {
    ending.push(served);
    return served;
  };
  const proxy = async (options?: ForwardProxyOptions) => kept(await startForwardProxy(options));
  /** A service with one live stream; with a certificate of the test's own, that nobody here vouches for. */
  const service = async () =>
    kept(
      await startServer(
        (_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify([STREAM])),
        createServer({ cert: certificates.cert, key: certificates.key }),
      ),
    );
  const connect = ({ run }: Product, baseUrl: string) =>
    run('addConnection', { name: 'Far', baseUrl, apiKey: 'key-1' });
  const liveRows = async ({ rows }: Product) => {
    const group = (await rows()).find(({ contextValue }) => contextValue === 'group.active');
    return (await rows(group)).map(({ label }) => label);
  };

  it(
    'are those of VS Code’s settings: through http.proxy with its password, to a certificate that http.proxyStrictSSL lets pass',
    withProduct({ isConnected: false }, async (product) => {
      const [server, forward] = [await service(), await proxy({ token: TOKEN })];
      await writeHttp({ proxy: withPassword(forward), proxyStrictSSL: false });
      await connect(product, addressOf(server));
      assert.deepEqual(product.window.said, []);
      assert.deepEqual(await liveRows(product), ['Behind the proxy']);
      assert.deepEqual(new Set(forward.tunnels), new Set([new URL(addressOf(server)).host]));
      assert.deepEqual(forward.seen, [], 'the proxy sees no key');
      assert.equal(server.requests[0]?.headers.authorization, 'Bearer key-1');
      assert.equal(server.requests[0]?.headers['proxy-authorization'], undefined);
      assert.doesNotMatch(product.log.join(), new RegExp(`${encodeURIComponent(PASSWORD)}|${TOKEN}`));
    }),
  );

  it(
    'carry downloads as well, without the key',
    withProduct({ isConnected: false }, async (product) => {
      const video = someBytes(2_000_000);
      const forward = await proxy({ token: TOKEN });
      const server = kept(
        await startServer(
          (request, response) => {
            const { host = '', range } = request.headers;
            const { pathname } = new URL(`https://${host}${request.url}`);
            if (pathname.endsWith('.mp4')) return sendVideo(response, video, range);
            const session = { id: 'x1', parentId: 'a1', record: true, createdAt: 1, mp4Url: `https://${host}/x1.mp4` };
            response.setHeader('content-type', 'application/json');
            response.end(JSON.stringify(pathname.endsWith('/session/x1') ? session : [STREAM]));
          },
          createServer({ cert: certificates.cert, key: certificates.key }),
        ),
      );
      const folder = mkdtempSync(join(tmpdir(), 'live-streams-proxy-'));
      try {
        await writeHttp({ proxy: withPassword(forward), proxyStrictSSL: false });
        await connect(product, addressOf(server));
        const target = join(folder, 'x1.mp4');
        assert.deepEqual(await product.run('downloadMp4', { id: 'x1', target }), { target, bytes: video.length });
        assert.ok(readFileSync(target).equals(video));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      const parts = server.requests.filter(({ url }) => url?.endsWith('.mp4'));
      assert.ok(parts.length > 1 && parts.every(({ headers }) => headers.authorization === undefined));
      assert.match(parts.at(-1)?.headers.range ?? '', /^bytes=\d+-$/);
      assert.deepEqual(new Set(forward.tunnels), new Set([new URL(addressOf(server)).host]));
      assert.deepEqual(forward.seen, []);
    }),
  );

  it(
    'are taken up as they change, without a reload',
    withProduct({ isConnected: false }, async (product) => {
      const server = await service();
      const [first, second] = [await proxy(), await proxy()];
      await writeHttp({ proxy: first.url, proxyStrictSSL: false });
      await connect(product, addressOf(server));
      assert.ok(first.tunnels.length > 0);
      await writeHttp({ proxy: second.url });
      await product.run('refresh');
      assert.equal(second.tunnels.length, 1);
      await writeHttp({ proxyStrictSSL: true });
      const asked = server.requests.length;
      await product.run('refresh');
      assert.equal(server.requests.length, asked);
      await eventually(() => assert.match(product.view.message ?? '', /service\.test/));
    }),
  );

  it(
    'say what stands in the way, and show the setting that helps',
    withProduct({ isConnected: false }, async (product) => {
      const { window } = product;
      const opened: unknown[] = [];
      const { executeCommand } = vscode.commands;
      const watching = replace(vscode.commands, 'executeCommand', async (id: string, ...args: readonly unknown[]) =>
        id === 'workbench.action.openSettings' ? opened.push(args[0]) : executeCommand(id, ...args),
      );
      try {
        const [server, forward] = [await service(), await proxy({ token: TOKEN })];
        const cases: readonly [Readonly<Record<string, unknown>>, RegExp, string][] = [
          [{ proxy: withPassword(forward, 'wrong') }, /proxy requires a password/, '@id:http.proxy'],
          [{ proxy: 'socks5://127.0.0.1:9' }, /type of proxy/, '@id:liveStreams.network.client'],
          [{ proxy: withPassword(forward) }, /isn't trusted/, '@id:http.systemCertificates'],
        ];
        for (const [settings, sentence, setting] of cases) {
          await writeHttp(settings);
          window.presses.push('Open Settings');
          await connect(product, addressOf(server));
          await new Promise((resolve) => setImmediate(resolve));
          assert.match(window.said.pop()?.text ?? '', sentence);
          assert.equal(opened.pop(), setting);
        }
        assert.equal(server.requests.length, 0);
        assert.deepEqual(await product.secretKeys(), []);
        await product.run('openProxySettings');
        assert.equal(opened.pop(), '@id:http.proxy');
      } finally {
        watching.dispose();
      }
    }),
  );

  it(
    'never send what stays on this machine through a proxy',
    withProduct({}, async (product) => {
      const forward = await proxy();
      await writeHttp({ proxy: forward.url });
      await product.run('refresh');
      assert.ok(product.requests().length > 0);
      assert.deepEqual([forward.tunnels, forward.seen], [[], []]);
    }),
  );

  it(
    'are the editor’s own affair where liveStreams.network.client says so, from the next request on',
    withProduct({}, async (product) => {
      const asked: string[] = [];
      const { fetch } = globalThis;
      const watching = replace(globalThis, 'fetch', (...args: Parameters<typeof fetch>) => {
        asked.push(String(args[0]));
        return fetch(...args);
      });
      try {
        await product.run('refresh');
        assert.deepEqual(asked, []);
        const before = product.requests().length;
        await vscode.workspace.getConfiguration('liveStreams').update('network.client', 'editor', true);
        await product.run('refresh');
        assert.equal(asked.length, product.requests().length - before);
        assert.ok(asked.length > 0);
        assert.deepEqual(product.window.said, []);
      } finally {
        watching.dispose();
      }
    }),
  );
});

/** The first time it is cut in its middle. */
function sendVideo(response: ServerResponse, video: Buffer, range: string | undefined): void {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  const headers = { 'content-type': 'video/mp4', etag: '"1"', 'content-length': video.length - from };
  if (from > 0) {
    const part = `bytes ${from}-${video.length - 1}/${video.length}`;
    return void response.writeHead(206, { ...headers, 'content-range': part }).end(video.subarray(from));
  }
  response.writeHead(200, headers).write(video.subarray(0, 1_000_000), () => setTimeout(() => response.destroy(), 100));
}
