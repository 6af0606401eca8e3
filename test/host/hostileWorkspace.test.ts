import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import * as vscode from 'vscode';
import { startForwardProxy } from '../support/service/forwardProxy.ts';
import { makeTestCertificates } from '../support/service/testCertificates.ts';
import { startServer } from '../support/service/testServer.ts';
import { answerBoxes } from './answeredBoxes.ts';
import { restoreDefaults, untilFileIsRead } from './defaultSettings.ts';
import { eventually } from './eventually.ts';
import { plant } from './planted.ts';
import { type Product, withProduct } from './product.ts';

const APPLICATION = ['notifications', 'addresses', 'agentTools', 'ffmpeg', 'network.client', 'network.timeout'];
const ASKED = [
  ...['refresh', 'copyIngestUrl', 'copyPlaybackUrl', 'copyPlayerUrl', 'copyIngestServer', 'openPlayerPage'],
  ...['openDashboard', 'watchStream', 'showStream', 'openJson'],
];

/** What a workspace would write to have everything sent to it: every setting that there is, and some that there are not. */
function hostileSettings({ service, context }: Product, elsewhere: string): Readonly<Record<string, unknown>> {
  const origin = new URL(service.baseUrl).origin;
  const templates = Object.fromEntries(
    ['rtmp', 'srt', 'whip', 'hls', 'player', 'recordingPlayer', 'dashboard', 'keys'].map((name) => [
      name,
      `${elsewhere}/${name}/{streamKey}{playbackId}`,
    ]),
  );
  const declared = {
    ...{ 'liveStreams.refreshInterval': 5, 'liveStreams.pageSize': 20, 'liveStreams.playIn': 'browser' },
    ...{ 'liveStreams.showHistoricChildStreams': true, 'liveStreams.notifications': ['streamStarted'] },
    ...{ 'liveStreams.addresses': { [origin]: templates }, 'liveStreams.network.client': 'editor' },
    ...{ 'liveStreams.ffmpeg': './ffmpeg', 'liveStreams.agentTools': 'readAndChange' },
    ...{ 'liveStreams.network.timeout': 1, 'liveStreams.leakGuard': false, 'liveStreams.leakGuardExclude': ['**'] },
  };
  const { properties } = context.extension.packageJSON.contributes.configuration;
  assert.deepEqual(Object.keys(declared).sort(), Object.keys(properties).sort(), 'a hostile value for every setting');
  return { ...declared, 'liveStreams.baseUrl': elsewhere, 'liveStreams.apiUrl': elsewhere, ...proxied(elsewhere) };
}

const proxied = (proxy: string) => ({
  ...{ 'http.proxy': proxy, 'http.noProxy': [], 'http.proxySupport': 'override', 'http.proxyStrictSSL': false },
  'http.proxyAuthorization': 'Basic b3RoZXI=',
});

/** Runs while the workspace's file says this. */
async function withWorkspace(settings: Readonly<Record<string, unknown>>, run: () => Promise<void>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open');
  const file = vscode.Uri.joinPath(folder, '.vscode/settings.json');
  try {
    await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(settings)));
    await untilFileIsRead('liveStreams.refreshInterval', 5);
    await run();
  } finally {
    await vscode.workspace.fs.delete(file);
    await restoreDefaults();
  }
}

describe('A workspace that sets every setting', () => {
  it(
    'sends no request where it points, and no secret',
    withProduct({ demo: { streamCount: 4, liveCount: 2 } }, async (product) => {
      const elsewhere = await startServer((_request, response) => response.end('[]'));
      const boxes = answerBoxes(() => undefined, []);
      try {
        plant(product);
        await withWorkspace(hostileSettings(product, elsewhere.url), async () => {
          await product.restart();
          const stream = product.service.control.streams().find(({ parentId }) => parentId === undefined)?.id;
          await product.drawn();
          for (const command of ASKED) {
            await vscode.env.clipboard.writeText('');
            await product.run(command, stream);
            assert.ok(!(await vscode.env.clipboard.readText()).includes(elsewhere.url), command);
          }
          await product.run('openJson', { which: 'all' });
          assert.ok(product.requests().length > 0);
          assert.ok(product.window.opened.length > 0, 'playIn is a setting of the window');
          assert.deepEqual(
            product.window.opened.filter((address) => address.includes(elsewhere.url)),
            [],
          );
          assert.deepEqual(
            elsewhere.requests.map(({ method, url }) => `${method} ${url}`),
            [],
          );
          for (const id of APPLICATION) {
            const { workspaceValue } = vscode.workspace.getConfiguration('liveStreams').inspect(id) ?? {};
            assert.equal(workspaceValue, undefined, id);
          }
        });
      } finally {
        boxes.dispose();
        await elsewhere.close();
      }
    }),
  );

  it(
    'has nothing go through its proxy: a service far away is reached through the one that the person set',
    withProduct({ isConnected: false }, async (product) => {
      const certificates = makeTestCertificates();
      const service = await startServer(
        (_, response) => response.setHeader('content-type', 'application/json').end('[]'),
        createServer(certificates),
      );
      const [own, hostile] = [await startForwardProxy(), await startForwardProxy()];
      const http = vscode.workspace.getConfiguration('http');
      const baseUrl = `https://service.test:${new URL(service.url).port}/api`;
      const settings = { 'liveStreams.refreshInterval': 5, ...proxied(hostile.url) };
      try {
        for (const [key, value] of Object.entries({ proxy: own.url, proxyStrictSSL: false })) {
          await http.update(key, value, vscode.ConfigurationTarget.Global);
        }
        await withWorkspace(settings, async () => {
          await eventually(async () => {
            await product.run('addConnection', { name: 'Far', baseUrl, apiKey: 'key-1' });
            assert.deepEqual(await product.secretKeys().then(({ length }) => length), 1, product.log.join('\n'));
          });
          await product.run('refresh');
        });
        assert.ok(service.requests.length > 0 && own.tunnels.length > 0);
        assert.deepEqual([hostile.tunnels, hostile.seen], [[], []]);
      } finally {
        for (const key of ['proxy', 'proxyStrictSSL']) {
          await http.update(key, undefined, vscode.ConfigurationTarget.Global);
        }
        for (const each of [service, own, hostile]) await each.close();
        certificates.remove();
      }
    }),
  );
});
