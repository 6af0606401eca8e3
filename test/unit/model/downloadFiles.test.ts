import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAbortError } from '../../../src/api/errors.ts';
import type { DownloadFiles, PartFile } from '../../../src/services.ts';
import { fileListener, someBytes } from '../../support/fileServer.ts';
import { until } from '../api/support.ts';
import { withDownloads } from './downloadFixture.ts';

const CONTENT = someBytes(200_000);
const whole = fileListener(() => ({ content: CONTENT }));
const silent = fileListener(() => ({ content: CONTENT, silentAfter: 100_000 }));

/** Real files of which one act is refused by the system. */
const refusing =
  (act: keyof PartFile, code: string) =>
  (real: DownloadFiles): DownloadFiles => ({
    ...real,
    async startPart(target) {
      const refuse = async () => {
        throw Object.assign(new Error(`${code}: at ${target}`), { code });
      };
      return { ...(await real.startPart(target)), [act]: refuse };
    },
  });

describe('the file of a download', () => {
  it(
    'is not written where there is one, unless it may be replaced; it is replaced only when the new one is whole',
    withDownloads({}, async (kit) => {
      writeFileSync(kit.target, 'mine');
      const server = await kit.serve(whole);
      assert.equal(await kit.failure(server.url), 'exists');
      assert.equal(server.requests.length, 0);
      const hanging = await kit.serve(silent);
      const cancelling = new AbortController();
      const running = kit.get(hanging.url, { mayReplace: true, signal: cancelling.signal });
      await until(() => kit.names().length === 2);
      assert.equal(kit.written().toString(), 'mine');
      cancelling.abort();
      await assert.rejects(running, isAbortError);
      assert.equal(kit.written().toString(), 'mine');
      await kit.get(server.url, { mayReplace: true });
      assert.ok(kit.written().equals(CONTENT));
      assert.deepEqual(kit.names(), ['a.mp4']);
    }),
  );

  it(
    'does not take the place of one that came meanwhile',
    withDownloads({}, async (kit) => {
      const server = await kit.serve((request, response) => {
        writeFileSync(kit.target, 'mine');
        whole(request, response);
      });
      assert.equal(await kit.failure(server.url), 'exists');
      assert.equal(kit.written().toString(), 'mine');
      assert.deepEqual(kit.names(), ['a.mp4']);
    }),
  );

  it(
    'cannot be in a folder that is not there, be a folder, have an endless name, or be where nothing is written',
    withDownloads({}, async (kit) => {
      const server = await kit.serve(whole);
      const fails = (target: string) => kit.failure(server.url, { target, mayReplace: true });
      writeFileSync(join(kit.folder, 'file'), '');
      mkdirSync(join(kit.folder, 'folder'));
      assert.equal(await fails(join(kit.folder, 'none', 'a.mp4')), 'noFolder');
      assert.equal(await fails(join(kit.folder, 'file', 'a.mp4')), 'noFolder');
      assert.equal(await fails(join(kit.folder, 'folder')), 'isFolder');
      assert.equal(await fails(join(kit.folder, 'x'.repeat(300))), 'nameTooLong');
      if (process.platform === 'linux') assert.match(await fails('/sys/a.mp4'), /^(readOnly|notAllowed)$/);
      assert.equal(server.requests.length, 0);
      assert.deepEqual(kit.names(), ['file', 'folder']);
    }),
  );

  const refusals: readonly [keyof PartFile, string, string][] = [
    ['append', 'ENOSPC', 'diskFull'],
    ['append', 'EDQUOT', 'diskFull'],
    ['append', 'EFBIG', 'tooLarge'],
    ['append', 'EIO', 'notWritten'],
    ['finish', 'ENOSPC', 'diskFull'],
    ['finish', 'EACCES', 'notAllowed'],
    ['finish', 'EROFS', 'readOnly'],
  ];
  for (const [act, code, reason] of refusals) {
    it(
      `fails with ${reason} and leaves nothing when ${act} meets ${code}`,
      withDownloads({ files: refusing(act, code) }, async (kit) => {
        const server = await kit.serve(whole);
        assert.equal(await kit.failure(server.url), reason);
        assert.deepEqual(kit.names(), []);
        assert.equal(server.requests.length, 1, 'the disk is not asked again');
      }),
    );
  }

  it(
    'is not begun where it does not fit',
    withDownloads({ files: (real) => ({ ...real, freeBytes: async () => 199_999 }) }, async (kit) => {
      const server = await kit.serve(whole);
      assert.equal(await kit.failure(server.url), 'diskFull');
      assert.deepEqual(kit.names(), []);
    }),
  );

  it(
    'begins clean over what an earlier download left behind',
    withDownloads({}, async (kit) => {
      writeFileSync(`${kit.target}.part`, Buffer.alloc(500_000, 1));
      const server = await kit.serve(whole);
      await kit.get(server.url);
      assert.ok(kit.written().equals(CONTENT));
      assert.deepEqual(kit.names(), ['a.mp4']);
    }),
  );

  it(
    'is not mixed with that of another window that loads the same',
    withDownloads({}, (first) =>
      withDownloads({}, async (second) => {
        let go = () => {};
        const held = await first.serve((_, response) => {
          response.writeHead(200, { 'content-length': 4 }).write('\0\0');
          go = () => void response.end('\0\0');
        });
        const server = await first.serve(fileListener(() => ({ content: CONTENT, silentAfter: 100_000 })));
        const running = first.failure(held.url);
        await until(() => existsSync(`${first.target}.part`));
        const cancelling = new AbortController();
        const other = second.get(server.url, { target: first.target, signal: cancelling.signal });
        await until(() => server.requests.length === 1);
        go();
        assert.equal(await running, 'notWritten');
        assert.deepEqual(first.names(), ['a.mp4.part'], 'the part of the second is left alone');
        cancelling.abort();
        await assert.rejects(other, isAbortError);
        assert.deepEqual(first.names(), []);
      })(),
    ),
  );

  it(
    'is removed at once when the window closes',
    withDownloads({}, async (kit) => {
      const server = await kit.serve(silent);
      const running = kit.get(server.url);
      await until(() => server.requests.length === 1);
      await until(() => kit.names().length === 1);
      kit.downloader.dispose();
      kit.files.dispose();
      assert.deepEqual(kit.names(), []);
      await assert.rejects(running, isAbortError);
      await assert.rejects(kit.get(server.url), isAbortError);
      assert.deepEqual(kit.names(), []);
    }),
  );

  it(
    'is not there when the process is killed in the middle, and is whole after the next download',
    withDownloads({}, async (kit) => {
      const hanging = await kit.serve(silent);
      const source = `
        const { Downloader } = await import('${new URL('../../../src/model/downloader.ts', import.meta.url)}');
        const { createDownloadFiles } = await import('${new URL('../../../src/host/downloadFiles.ts', import.meta.url)}');
        const { createUndiciTransport } = await import('${new URL('../../../src/api/undiciTransport.ts', import.meta.url)}');
        const clock = { now: Date.now, setTimeout(run, ms) { const timer = setTimeout(run, ms); return { dispose: () => clearTimeout(timer) }; } };
        const log = { debug() {}, info() {}, warn() {}, error() {} };
        const transport = createUndiciTransport({ settings: () => ({ timeoutMs: 1000 }), clock, log });
        const downloader = new Downloader({ transport, files: createDownloadFiles(), clock, log, random: Math.random });
        const [url, target] = process.argv.slice(1);
        const onProgress = (received) => { if (received === 100_000) console.log('half'); };
        await downloader.download({ url, target, connection: { baseUrl: url }, mayReplace: false, signal: new AbortController().signal, onProgress, onWait() {} });
      `;
      const child = spawn(process.execPath, ['--input-type=module', '-e', source, hanging.url, kit.target]);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      assert.deepEqual(kit.names(), ['a.mp4.part']);
      const server = await kit.serve(whole);
      await kit.get(server.url);
      assert.deepEqual(kit.names(), ['a.mp4']);
      assert.ok(kit.written().equals(CONTENT));
    }),
  );
});

describe('several downloads at once', () => {
  it(
    'do not disturb each other; one target is written by one alone',
    withDownloads({}, async (kit) => {
      const contents = [1, 2, 3, 4, 5].map((seed) => someBytes(400_000, seed));
      let waiting: (() => void)[] = [];
      const server = await kit.serve((request, response) => {
        const content = contents[Number(request.url?.slice(1))] ?? assert.fail(request.url);
        response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 10_000));
        waiting.push(() => response.end(content.subarray(10_000)));
      });
      const targetOf = (index: number) => join(dirname(kit.target), `${index}.mp4`);
      const all = contents.map((_, index) => kit.get(`${server.url}/${index}`, { target: targetOf(index) }));
      await until(() => waiting.length === 5);
      assert.equal(await kit.failure(`${server.url}/0`, { target: join(kit.folder, 'x', '..', '0.mp4') }), 'underWay');
      for (const go of waiting.reverse()) go();
      waiting = [];
      await Promise.all(all);
      for (const [index, content] of contents.entries()) assert.ok(readFileSync(targetOf(index)).equals(content));
      assert.deepEqual(kit.names(), ['0.mp4', '1.mp4', '2.mp4', '3.mp4', '4.mp4']);
    }),
  );

  it(
    'need no more memory for more bytes',
    withDownloads({}, async (kit) => {
      const zeros = Buffer.alloc(256 * 1024);
      const size = 150 * 1024 * 1024;
      const server = await kit.serve((_, response) => {
        response.writeHead(200, { 'content-length': size });
        let left = size;
        const push = (): void => {
          while (left > 0) {
            left -= zeros.length;
            if (!response.write(zeros)) return void response.once('drain', push);
          }
          response.end();
        };
        push();
      });
      const start = process.memoryUsage.rss();
      let peak = start;
      const watching = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 5);
      const targets = ['1.mp4', '2.mp4'].map((name) => join(kit.folder, name));
      const sizes = await Promise.all(targets.map((target) => kit.get(server.url, { target })));
      clearInterval(watching);
      assert.deepEqual(sizes, [size, size]);
      assert.ok(peak - start < 100e6, `${Math.round((peak - start) / 1e6)} MB more`);
    }),
  ).timeout(20_000);
});
