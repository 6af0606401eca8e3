import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { DemoSession } from '../../src/demo/demoState.ts';
import { sampleRecording } from '../support/demo/sampleRecording.ts';
import { sampleOf } from '../support/runner/fuzzRuns.ts';
import { fileListener, someBytes } from '../support/service/fileServer.ts';
import { startServer, type TestServer } from '../support/service/testServer.ts';
import { eventually } from './eventually.ts';
import { FACE, type Product, withProduct } from './product.ts';
import { replace } from './replace.ts';

const CONTENT = someBytes(3_000_000);
const MB = 1024 * 1024;

describe('Downloads', () => {
  let folder: string;
  const servers: TestServer[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'live-streams-host-'));
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A recorded session; its MP4 is the demo's own, or what a server of the test sends. */
  async function addRecording({ service }: Product, listener?: RequestListener) {
    const stream = service.control.streams().find(({ isActive, parentId }) => !isActive && parentId === undefined);
    assert.ok(stream);
    const session: DemoSession = service.control.addSession(stream.id, {
      record: true,
      createdAt: Date.UTC(2026, 1, 3),
    });
    const media = new URL(`/recordings/${session.id}/`, service.baseUrl).href;
    const server = listener === undefined ? undefined : await startServer(listener);
    if (server !== undefined) servers.push(server);
    const mp4Url = server === undefined ? `${media}source.mp4` : `${server.url}/source.mp4`;
    service.control.setSession(session.id, { recordingStatus: 'ready', recordingUrl: `${media}index.m3u8`, mp4Url });
    return { id: session.id, stream, server, target: join(folder, `${session.id}.mp4`) };
  }

  it(
    'write a recording of the demo to the file they were given, byte for byte',
    withProduct({}, async (product) => {
      const { id, target } = await addRecording(product);
      const expected = await sampleRecording();
      assert.deepEqual(await product.run('downloadMp4', { id, target }), { target, bytes: expected.length });
      assert.ok(readFileSync(target).equals(expected));
      assert.deepEqual(readdirSync(folder), [`${id}.mp4`]);
      const { text, actions } = product.window.said.pop() ?? assert.fail('Nothing was said');
      assert.match(text, /^Downloaded "/);
      assert.deepEqual(actions, ['Open Containing Folder', 'Open']);
      const place = vscode.env.remoteName;
      if (place !== undefined) assert.ok(text.includes(`to ${folder} on `) && text.includes(place), text);
    }),
  );

  it(
    'ask where to with the editor’s save dialog, and show the file afterwards',
    withProduct({}, async (product) => {
      const { id, stream, target } = await addRecording(product);
      product.service.control.setStream(stream.id, { name: 'Town hall: day 1/2' });
      await product.run('retry', stream.id);
      const asked: vscode.SaveDialogOptions[] = [];
      const watching = replace(vscode.window, 'showSaveDialog', async (options: vscode.SaveDialogOptions) => {
        asked.push(options);
        return vscode.Uri.file(target);
      });
      try {
        // On a desktop it would open a player.
        if (vscode.env.uiKind === vscode.UIKind.Web) product.window.presses.push('Open');
        await product.run('downloadMp4', id);
        assert.ok(statSync(target).size > 0);
        await product.run('downloadMp4', id);
      } finally {
        watching.dispose();
      }
      const [first, second] = asked.map(({ defaultUri }) => defaultUri?.fsPath ?? '');
      assert.match(first ?? '', /[/\\]Town hall- day 1-2 2026-02-0\d \d\d-\d\d\.mp4$/);
      assert.equal(dirname(second ?? ''), folder, 'the folder of the last time');
      assert.deepEqual(asked[0]?.filters, { Video: ['mp4'] });
      if (vscode.env.uiKind === vscode.UIKind.Web) {
        await eventually(() => assert.deepEqual(product.window.opened, [vscode.Uri.file(target).toString()]));
      }
    }),
  );

  // On a desktop the file is shown by its own file manager.
  if (vscode.env.uiKind === vscode.UIKind.Web) {
    it(
      'are shown in the explorer where they are in the folder that is open, else by their path',
      withProduct({}, async (product) => {
        const commands: unknown[][] = [];
        const { executeCommand } = vscode.commands;
        const watching = replace(vscode.commands, 'executeCommand', (command: string, ...args: readonly unknown[]) => {
          if (command === 'revealInExplorer') return commands.push([command, ...args.map(String)]);
          return executeCommand(command, ...args);
        });
        const opened = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open');
        const { id, target } = await addRecording(product);
        const inside = join(opened.fsPath, `${id}.mp4`);
        try {
          product.window.presses.push('Open Containing Folder');
          await product.run('downloadMp4', { id, target });
          await eventually(() => assert.deepEqual(product.window.flashes, ['Copied the file path']));
          assert.equal(await vscode.env.clipboard.readText(), target);
          assert.deepEqual(commands, []);
          product.window.presses.push('Open Containing Folder');
          await product.run('downloadMp4', { id, target: inside });
          await eventually(() => {
            assert.deepEqual(commands, [['revealInExplorer', vscode.Uri.file(inside).toString()]]);
          });
        } finally {
          watching.dispose();
          rmSync(inside, { force: true });
        }
      }),
    );
  }

  it(
    'come through cuts and changes; what they cannot mend they say, and leave nothing',
    withProduct({}, async (product) => {
      const { window, run } = product;
      const cut = await addRecording(
        product,
        fileListener((count) => ({ content: CONTENT, etag: '"1"', ...(count === 1 && { cutAfter: 1_000_000 }) })),
      );
      await run('downloadMp4', cut);
      assert.ok(readFileSync(cut.target).equals(CONTENT));
      assert.equal(cut.server?.requests[1]?.headers.range, 'bytes=1000000-');
      const other = someBytes(2_000_000, 7);
      const changed = await addRecording(
        product,
        fileListener((count) =>
          count === 1 ? { content: CONTENT, etag: '"1"', cutAfter: 1_000_000 } : { content: other, etag: '"2"' },
        ),
      );
      await run('downloadMp4', changed);
      assert.ok(readFileSync(changed.target).equals(other));
      window.said.length = 0;
      const lying: readonly [RequestListener, RegExp][] = [
        [fileListener(() => ({ content: CONTENT, claims: 5_000_000 })), /incomplete: received 3 MB of 5 MB from /],
        [
          (_, response) => response.end('<html>Sign in'),
          /didn't return a video\. The response may be an error or a sign-in page\./,
        ],
        [(_, response) => response.writeHead(416).end(), /returned 416 instead of a video/],
        [
          (_, response) => response.writeHead(206, { 'content-range': 'bytes 5-9/10' }).end('56789'),
          /returned the wrong part of the file\./,
        ],
      ];
      for (const [listener, sentence] of lying) {
        const { id, target } = await addRecording(product, listener);
        assert.equal(await run('downloadMp4', { id, target }), undefined);
        assert.match(window.said.pop()?.text ?? '', sentence);
      }
      assert.equal(readdirSync(folder).length, 2);
      const keys = servers.flatMap(({ requests }) => requests.map(({ headers }) => headers.authorization));
      assert.ok(keys.length >= 7 && keys.every((key) => key === undefined));
    }),
  );

  it(
    'show one entry each while several run; a cancelled one leaves nothing, nor does a window that closes, which the next one says',
    withProduct({}, async (product) => {
      const titles: string[] = [];
      const cancelled = new vscode.CancellationTokenSource();
      const { withProgress } = vscode.window;
      const watching = replace(
        vscode.window,
        'withProgress',
        (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) => {
          titles.push(options.title ?? '');
          assert.equal(options.cancellable, true);
          const isFirst = titles.length === 1;
          return withProgress(options, (progress, token) => task(progress, isFirst ? cancelled.token : token));
        },
      );
      try {
        const silent = fileListener(() => ({ content: CONTENT, silentAfter: 1000 }));
        const all = [await addRecording(product, silent), await addRecording(product, silent)];
        const running: Promise<unknown>[] = [];
        for (const { id, target } of all) {
          running.push(product.run('downloadMp4', { id, target }));
          await eventually(() => assert.equal(readdirSync(folder).length, running.length));
        }
        const expected = all.map(({ id }) => titleOf(id));
        await eventually(() => assert.deepEqual(titles, expected));
        cancelled.cancel();
        await running[0];
        assert.equal(readdirSync(folder).length, 1);
        await product.restart();
        assert.deepEqual(readdirSync(folder), []);
        await Promise.all(running);
        const cutOff = new RegExp(`^The download of "${all[1]?.id}\\.mp4" was interrupted when VS Code closed`);
        await eventually(() => assert.match(product.window.said.map(({ text }) => text).join('\n'), cutOff));
        assert.equal(product.window.said.length, 1);
      } finally {
        watching.dispose();
        cancelled.dispose();
      }
    }),
  );

  // The same code whatever the service can do, so once is enough.
  for (const megabytes of FACE === 'full' ? sampleOf([256, 512], 1) : []) {
    const size = megabytes * MB;
    it(
      `take less than 100 MB of memory for ${megabytes} MB`,
      withProduct({}, async (product) => {
        const { id, target } = await addRecording(product, (_, response) => sendPieces(response, size));
        const start = process.memoryUsage.rss();
        let peak = start;
        const watching = setInterval(() => {
          peak = Math.max(peak, process.memoryUsage.rss());
        }, 10);
        const startedAt = Date.now();
        const written = await product.run('downloadMp4', { id, target });
        clearInterval(watching);
        const more = Math.round((peak - start) / 1e6);
        assert.deepEqual(written, { target, bytes: size });
        assert.equal(statSync(target).size, size);
        assert.ok(more < 100, `${more} MB more in ${Date.now() - startedAt} ms`);
        const output = process.env.LIVE_STREAMS_OUTPUT;
        if (output) appendFileSync(output, `${megabytes} MB: ${more} MB more, ${Date.now() - startedAt} ms\n`);
      }),
    ).timeout(90_000);
  }
});

/** As a window says it that has a machine of its own for files, or none. */
function titleOf(id: string): string {
  const place = vscode.env.remoteName === undefined ? '' : ` to ${hostname()} (${vscode.env.remoteName})`;
  return `Downloading "${id}.mp4"${place}`;
}

function sendPieces(response: Parameters<RequestListener>[1], size: number): void {
  const piece = someBytes(256 * 1024);
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size });
  let left = size;
  const push = (): void => {
    while (left > 0) {
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', push);
    }
    response.end();
  };
  push();
}
