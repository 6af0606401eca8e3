import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { FaultAnswer } from '../../src/demo/demoContract.ts';
import { restoreDefaults, untilFileIsRead } from './defaultSettings.ts';
import { FACE, type HostRow, type Product, withProduct } from './product.ts';
import { replace } from './watchedWindow.ts';

const API_KEY = 'planted-api-key-8d1f0c';
const PULL = 'planted-pull-credential-77aa';
const streamKeyOf = (index: number) => `plnt-${String(index).padStart(4, '0')}-abcd-efgh`;
/** What every planted secret begins with, so that a part of one is found as well. */
const PLANTED = /planted-(api-key|pull)|plnt-\d{4}|planted%2Dapi/;
const JSON_TYPE = { 'content-type': 'application/json' };
/** Ask the person where no row is given, or leave the editor. They are run with what they need by tests of their own. */
const NOT_RUN = new Set([
  'startDemo',
  'stopDemo',
  'removeConnection',
  'addConnection',
  'downloadMp4',
  'openProxySettings',
]);
const MAY_COPY = new Set(['copyStreamKey', 'copyIngestUrl']);

/** Every stream and session with secrets of its own. */
function plant({ service: { control } }: Product): readonly string[] {
  const streams = control.streams();
  streams.forEach(({ id }, index) => {
    const streamKey = streamKeyOf(index);
    control.setStream(id, {
      streamKey,
      pull: { source: `https://user:${PULL}@cam.example/x?sig=${PULL}`, headers: { authorization: `Bearer ${PULL}` } },
      multistream: { targets: [{ spec: { name: 'T', url: `rtmp://other.example/live/${PULL}` } }] },
    });
  });
  return streams.map((_stream, index) => streamKeyOf(index));
}

/** Runs a command as long as it takes, or until it waits for the person, whose box is closed. */
async function runBriefly(product: Product, command: string, ...args: readonly unknown[]): Promise<void> {
  const running = product.run(command, ...args).catch(() => undefined);
  const isDone = await Promise.race([running.then(() => true), pause(700).then(() => false)]);
  if (isDone) return;
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  await Promise.race([running, pause(700)]);
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function commandsOf({ context }: Product): readonly string[] {
  const { commands }: { commands: readonly { readonly command: string }[] } = context.extension.packageJSON.contributes;
  return commands
    .map(({ command }) => command.replace('liveStreams.', ''))
    .filter((id) => !NOT_RUN.has(id) && !id.startsWith('tree.'));
}

/** All texts of one kind that somebody could read; named, so that a failure says where. */
async function readEverything(product: Product, consoleLines: readonly string[]): Promise<Record<string, string>> {
  return {
    messages: product.window.readable(),
    addresses: product.window.opened.join('\n'),
    log: product.log.join('\n'),
    console: consoleLines.join('\n'),
    state: product.state(),
    settings: JSON.stringify(vscode.workspace.getConfiguration('liveStreams')),
    rows: JSON.stringify(await allRows(product)),
    documents: vscode.workspace.textDocuments.map((document) => `${document.uri}\n${document.getText()}`).join('\n'),
    tabs: JSON.stringify(vscode.window.tabGroups.all.map(({ tabs }) => tabs.map(({ label }) => label))),
  };
}

async function allRows(product: Product, of?: HostRow, depth = 0): Promise<readonly unknown[]> {
  if (depth > 2) return [];
  const rows = await product.rows(of);
  return Promise.all(
    rows.map(async (row) => {
      const { node, ...words } = row;
      return [JSON.stringify(node), words, await allRows(product, row, depth + 1)];
    }),
  );
}

/** Files that this VS Code wrote: logs, storage, settings, and what the extension put beside them. */
function filesWritten({ context }: Product): readonly (readonly [name: string, bytes: Buffer])[] {
  const data = dirname(dirname(dirname(context.globalStorageUri.fsPath)));
  const folders = [
    data,
    context.logUri.fsPath,
    ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
  ];
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !/CachedExtensionVSIXs|\/extensions\//.test(file))
      .map((file) => [file, readOrNothing(file)] as const),
  );
}

/** A file of the editor's may be gone by then. */
function readOrNothing(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

function watchConsole(lines: string[]): { dispose(): void } {
  const owned = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) => {
    const write = console[level].bind(console);
    return replace(console, level, (...words: readonly unknown[]) => {
      lines.push(words.map(String).join(' '));
      write(...words);
    });
  });
  return { dispose: () => owned.forEach((one) => void one.dispose()) };
}

async function assertNowhere(product: Product, consoleLines: readonly string[], when: string): Promise<void> {
  for (const [where, text] of Object.entries(await readEverything(product, consoleLines))) {
    const found = PLANTED.exec(text);
    const around = found ? text.slice(Math.max(0, found.index - 120), found.index + 60) : '';
    assert.equal(found, null, `A secret is in ${where} ${when}: …${around}…`);
  }
}

/**
 * What a service says that repeats whatever it knows. A credential that a service never sends (pull is not among what is
 * stated) cannot be told from other words where it stands alone.
 */
function echoing(status: number, secrets: readonly string[]): FaultAnswer {
  const errors = [
    `the key ${API_KEY} may not`,
    ...secrets.map((key) => `stream key ${key}`),
    `Bearer ${PULL}`,
    ...(FACE === 'full' ? [PULL] : []),
  ];
  return { status, headers: { ...JSON_TYPE, 'x-key': API_KEY }, body: JSON.stringify({ errors, error: API_KEY }) };
}

const demo = { apiKey: API_KEY, streamCount: 4, liveCount: 2 };

describe('Secrets', function () {
  this.timeout(120_000);

  async function runAll(product: Product): Promise<void> {
    const streams = product.service.control.streams().filter(({ parentId }) => parentId === undefined);
    const stream = streams.find(({ isActive }) => !isActive)?.id;
    const session = streams.flatMap(({ id }) => product.service.control.sessions(id))[0]?.id;
    for (const command of commandsOf(product)) {
      const isOfSession =
        /session|recording|mp4/i.test(command) && !/^(showRecorded|turnRec|show(Only|More))/.test(command);
      await vscode.env.clipboard.writeText('');
      await runBriefly(product, command, isOfSession ? session : stream);
      const copied = await vscode.env.clipboard.readText();
      if (MAY_COPY.has(command)) assert.match(copied, PLANTED, command);
      else assert.doesNotMatch(copied, PLANTED, command);
      if (command === 'revealSecrets') await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  }

  it(
    'of every kind are found only where a person asked for them, after every command',
    withProduct({ demo }, async (product) => {
      const lines: string[] = [];
      const watching = watchConsole(lines);
      try {
        plant(product);
        await product.run('refresh');
        await runAll(product);
        await pause(300);
        await assertNowhere(product, lines, 'after every command');
        for (const key of await product.secretKeys()) assert.doesNotMatch(key, PLANTED);
        const files = filesWritten(product);
        // Whether there is a log file depends on the editor's build (spdlog); its lines were looked at above.
        assert.ok(
          files.some(([file]) => file.endsWith('/User/settings.json')),
          'the files of the editor',
        );
        for (const [file, bytes] of files) {
          assert.doesNotMatch(bytes.toString('latin1'), PLANTED, file);
        }
      } finally {
        watching.dispose();
      }
    }),
  );

  for (const status of [400, 401, 403, 422, 500]) {
    it(
      `are in no text where the service answers everything with ${status} and repeats them`,
      withProduct({ demo }, async (product) => {
        const lines: string[] = [];
        const watching = watchConsole(lines);
        try {
          const keys = plant(product);
          await product.run('refresh');
          await allRows(product);
          const [stream] = product.service.control.streams();
          product.service.control.fault(() => echoing(status, keys));
          const asked = [
            'refresh',
            'copyStreamKey',
            'openStreamJson',
            'turnRecordingOn',
            'listAllStreams',
            'createStream',
          ];
          for (const command of asked) {
            await runBriefly(product, command, command === 'createStream' ? { name: 'N', record: false } : stream?.id);
          }
          await assertNowhere(product, lines, `after ${status}`);
        } finally {
          watching.dispose();
        }
      }),
    );
  }
});

describe('A workspace that sets every setting', () => {
  const ids = ['notifications', 'addresses', 'network.client', 'network.timeout'];

  it(
    'sends no request where it points, and no secret',
    withProduct({ demo }, async (product) => {
      const seen: IncomingMessage[] = [];
      const server = createServer((request, response) => {
        seen.push(request);
        response.end('[]');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const evil = (path: string) => `${elsewhere}/${path}/{streamKey}{playbackId}`;
      const origin = new URL(product.service.baseUrl).origin;
      const templates = Object.fromEntries(
        ['rtmp', 'whip', 'hls', 'player', 'recordingPlayer', 'dashboard', 'keys'].map((name) => [name, evil(name)]),
      );
      const settings: Readonly<Record<string, unknown>> = {
        ...{ 'liveStreams.refreshInterval': 5, 'liveStreams.pageSize': 20, 'liveStreams.playIn': 'browser' },
        ...{ 'liveStreams.showHistoricChildStreams': true, 'liveStreams.notifications': ['streamStarted'] },
        ...{ 'liveStreams.addresses': { [origin]: templates }, 'liveStreams.network.client': 'editor' },
        ...{ 'liveStreams.network.timeout': 1, 'liveStreams.baseUrl': elsewhere, 'liveStreams.apiUrl': elsewhere },
        ...{ 'http.proxy': elsewhere, 'http.noProxy': [], 'http.proxySupport': 'override' },
      };
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open');
      const file = vscode.Uri.joinPath(folder, '.vscode/settings.json');
      try {
        plant(product);
        await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(settings)));
        await untilFileIsRead('liveStreams.refreshInterval', 5);
        await product.restart();
        const stream = product.service.control.streams().find(({ parentId }) => parentId === undefined)?.id;
        await allRows(product);
        const asked = [
          'refresh',
          'copyIngestUrl',
          'copyPlaybackUrl',
          'copyPlayerUrl',
          'copyIngestServer',
          'openPlayerPage',
        ];
        for (const command of [
          ...asked,
          'openDashboard',
          'watchStream',
          'showStream',
          'openStreamJson',
          'listAllStreams',
        ]) {
          await vscode.env.clipboard.writeText('');
          await runBriefly(product, command, stream);
          assert.ok(!(await vscode.env.clipboard.readText()).includes(elsewhere), command);
        }
        assert.ok(product.requests().length > 0);
        assert.deepEqual(
          product.window.opened.filter((address) => address.startsWith(elsewhere)),
          [],
        );
        assert.deepEqual(
          seen.map(({ method, url }) => `${method} ${url}`),
          [],
        );
        for (const id of ids) {
          const { workspaceValue } = vscode.workspace.getConfiguration('liveStreams').inspect(id) ?? {};
          assert.equal(workspaceValue, undefined, id);
        }
      } finally {
        await vscode.workspace.fs.delete(file);
        await restoreDefaults();
        server.closeAllConnections();
        server.close();
      }
    }),
  );
});
