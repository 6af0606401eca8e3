import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isAbortError } from '../../../../src/api/errors.ts';
import { createDownloadFiles } from '../../../../src/model/downloads/downloadFiles.ts';
import type { DownloadFiles, PartFile } from '../../../../src/services.ts';
import { heldBytes } from '../../../bench/collectGarbage.ts';
import { itInFuzz } from '../../../support/runner/fuzzRuns.ts';
import { CLIENTS, describeWith } from '../../../support/service/clients.ts';
import { FILE_TYPE, fileListener, someBytes } from '../../../support/service/fileServer.ts';
import { until } from '../../api/support.ts';
import { type DownloadKit, OF, realClock, withDownloads } from './downloadFixture.ts';

const MB = 1024 * 1024;
const CONTENT = someBytes(200_000);
const whole = fileListener(() => ({ content: CONTENT }));
const silent = fileListener(() => ({ content: CONTENT, silentAfter: 100_000 }));

/** Real files of which one act is refused by the system. */
const refusing =
  (act: keyof PartFile, code: string) =>
  (real: DownloadFiles): DownloadFiles => ({
    ...real,
    async startPart(target, note) {
      const refuse = async () => {
        throw Object.assign(new Error(`${code}: at ${target}`), { code });
      };
      return { ...(await real.startPart(target, note)), [act]: refuse };
    },
  });

describeWith(CLIENTS, 'the file of a download', (client) => {
  it(
    'is not written where there is one, unless it may be replaced; it is replaced only when the new one is whole',
    withDownloads({ client }, async (kit) => {
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
    'is read by no more people than the one that it replaces',
    withDownloads({}, async (kit) => {
      const server = await kit.serve(whole);
      for (const mode of [0o600, 0o640, 0o644]) {
        writeFileSync(kit.target, 'mine');
        chmodSync(kit.target, mode);
        await kit.get(server.url, { mayReplace: true });
        assert.equal(statSync(kit.target).mode & 0o777, mode);
      }
    }),
  );

  it(
    'does not take the place of one that came meanwhile',
    withDownloads({ client }, async (kit) => {
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
    'cannot be in a missing folder, be a folder, have an endless name, or be where writing is not permitted',
    withDownloads({ client }, async (kit) => {
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
      withDownloads({ client, files: refusing(act, code) }, async (kit) => {
        const server = await kit.serve(whole);
        assert.equal(await kit.failure(server.url), reason);
        assert.deepEqual(kit.names(), []);
        assert.equal(server.requests.length, 1, 'the disk is not asked again');
      }),
    );
  }

  it(
    'is not begun where it does not fit',
    withDownloads({ client, files: (real) => ({ ...real, freeBytes: async () => 199_999 }) }, async (kit) => {
      const server = await kit.serve(whole);
      assert.equal(await kit.failure(server.url), 'diskFull');
      assert.deepEqual(kit.names(), []);
    }),
  );

  it(
    'is not begun where it is larger than all that is free on a real disk',
    withDownloads({ client }, async (kit) => {
      const server = await kit.serve((_, response) =>
        response.writeHead(200, { 'content-length': 2 ** 52 }).write('\0\0'),
      );
      assert.equal(await kit.failure(server.url), 'diskFull');
      assert.deepEqual([kit.names(), server.requests.length], [[], 1]);
      await until(() => server.sockets.size === 0);
    }),
  );

  it(
    'leaves alone what others keep beside it, whatever it is called',
    withDownloads({ client }, async (kit) => {
      const others = ['a.mp4.part', 'a.part', 'a.mp4.0123456789abcdef.part'];
      for (const name of others) writeFileSync(join(kit.folder, name), name);
      const server = await kit.serve(whole);
      await kit.get(server.url);
      await kit.failure(`${server.url}`);
      const gone = await kit.serve((_, response) => response.writeHead(404).end());
      await kit.failure(gone.url, { mayReplace: true });
      assert.deepEqual(await kit.files.takeLeft(), []);
      assert.deepEqual(kit.names(), ['a.mp4', ...others].sort());
      for (const name of others) assert.equal(readFileSync(join(kit.folder, name), 'utf8'), name);
    }),
  );

  it(
    'is not mixed with that of another window that loads the same: the first that is whole stays',
    withDownloads({ client }, (first) =>
      withDownloads({ client }, async (second) => {
        let go = () => {};
        const held = await first.serve((_, response) => {
          response.writeHead(200, { 'content-length': FILE_TYPE.length }).write(FILE_TYPE.subarray(0, 20));
          go = () => void response.end(FILE_TYPE.subarray(20));
        });
        const server = await first.serve(whole);
        const running = first.failure(held.url);
        await until(() => first.names().length === 1);
        await second.get(server.url, { target: first.target });
        go();
        assert.equal(await running, 'exists');
        assert.deepEqual(first.names(), ['a.mp4']);
        assert.ok(first.written().equals(CONTENT));
      })(),
    ),
  );

  it(
    'is not left behind by one that was just being begun when the window closed, and the next start is told',
    withDownloads({ client }, async (kit) => {
      const beginning = kit.files.startPart(kit.target, OF);
      kit.files.dispose();
      await assert.rejects(beginning, isAbortError);
      assert.deepEqual(kit.names(), []);
      await assert.rejects(kit.files.startPart(kit.target, OF), isAbortError);
      assert.deepEqual([kit.names(), readdirSync(kit.notes).length], [[], 1]);
      const next = createDownloadFiles({ folder: kit.notes, clock: realClock, log: kit.log });
      assert.deepEqual(await next.takeLeft(), [{ target: kit.target, note: OF }]);
    }),
  );

  it(
    'is removed at once when the window closes, and the next start is told',
    withDownloads({ client }, async (kit) => {
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
      const starting = [1, 2].map(() => createDownloadFiles({ folder: kit.notes, clock: realClock, log: kit.log }));
      const told = await Promise.all(starting.map((files) => files.takeLeft()));
      assert.deepEqual(told.flat(), [{ target: kit.target, note: OF }]);
      assert.deepEqual(readdirSync(kit.notes), []);
    }),
  );

  it(
    'is noted while it is under way, without its address',
    withDownloads({ client }, async (kit) => {
      const hanging = await kit.serve(silent);
      const cancelling = new AbortController();
      const running = kit.get(`${hanging.url}/?Signature=secret`, { signal: cancelling.signal });
      await until(() => kit.names().length === 1);
      const [name = ''] = readdirSync(kit.notes);
      assert.equal(kit.names()[0], `a.mp4.${name.replace('.json', '.part')}`);
      const note = readFileSync(join(kit.notes, name), 'utf8');
      assert.deepEqual(JSON.parse(note).note, OF);
      assert.doesNotMatch(note, /http|secret/);
      assert.deepEqual(await kit.files.takeLeft(), [], 'it is this process that writes it');
      cancelling.abort();
      await assert.rejects(running, isAbortError);
      assert.deepEqual(readdirSync(kit.notes), []);
    }),
  );

  it(
    'goes on where it cannot be noted',
    withDownloads({ client }, async (kit) => {
      rmSync(kit.notes, { recursive: true });
      writeFileSync(kit.notes, 'no folder');
      const server = await kit.serve(whole);
      await kit.get(server.url);
      assert.ok(kit.written().equals(CONTENT));
      assert.match(kit.log.lines.join(), /Couldn't record/);
    }),
  );
});

describeWith(CLIENTS, 'the file of a download whose process was killed', (client) => {
  /** A process of its own that has half of the file. */
  async function killed(kit: DownloadKit, url: string, half = 100_000): Promise<void> {
    const source = `
      const { Downloader } = await import('${new URL('../../../../src/model/downloads/download.ts', import.meta.url)}');
      const { createDownloadFiles } = await import('${new URL('../../../../src/model/downloads/downloadFiles.ts', import.meta.url)}');
      const { createUndiciTransport } = await import('${new URL('../../../../src/api/transport/undiciTransport.ts', import.meta.url)}');
      const clock = { now: Date.now, elapsed: () => performance.now(), setTimeout(run, ms) { const timer = setTimeout(run, ms); return { dispose: () => clearTimeout(timer) }; } };
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      const transport = createUndiciTransport({ settings: () => ({ timeoutMs: 1000 }), clock, log });
      const [url, target, folder] = process.argv.slice(1);
      const files = createDownloadFiles({ folder, clock, log });
      const downloader = new Downloader({ transport, files, clock, log, random: () => 0.5 });
      const onProgress = (received) => { if (received >= ${half}) console.log('half'); };
      const of = ${JSON.stringify(OF)};
      await downloader.download({ url, target, of, connection: { baseUrl: url }, mayReplace: false, signal: new AbortController().signal, onProgress, onWait() {} });
    `;
    const args = ['--input-type=module', '-e', source, url, kit.target, kit.notes];
    const child = spawn(process.execPath, args);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
  }

  it(
    'never has the final name, and is removed by the next start, which is told what it was',
    withDownloads({ client }, async (kit) => {
      const hanging = await kit.serve(silent);
      await killed(kit, hanging.url);
      assert.match(kit.names().join(), /^a\.mp4\.[0-9a-f]{16}\.part$/);
      writeFileSync(join(kit.folder, 'a.mp4.part'), 'mine');
      assert.deepEqual(await kit.files.takeLeft(), [{ target: kit.target, note: OF }]);
      assert.deepEqual(kit.names(), ['a.mp4.part']);
      assert.deepEqual(readdirSync(kit.notes), []);
      assert.deepEqual(await kit.files.takeLeft(), [], 'once');
    }),
  );

  it(
    'goes on in another process, which requests the rest alone, if the server says how the file is known again',
    withDownloads({ client }, async (kit) => {
      const content = someBytes(3 * MB);
      const known = { content, etag: '"one"' };
      const hanging = await kit.serve(fileListener(() => ({ ...known, silentAfter: 2.5 * MB })));
      await killed(kit, hanging.url, 2.5 * MB);
      const [part = ''] = kit.names();
      assert.equal(statSync(join(kit.folder, part)).size, 2 * MB);
      assert.deepEqual(await kit.files.takeLeft(), [{ target: kit.target, note: OF }]);
      assert.deepEqual(await kit.files.takeLeft(), [], 'once');
      assert.deepEqual(kit.names(), [part]);
      const server = await kit.serve(fileListener(() => known));
      assert.equal(await kit.get(server.url), content.length);
      const { range, 'if-range': condition } = server.requests[0]?.headers ?? {};
      assert.deepEqual([range, condition], [`bytes=${2 * MB}-`, '"one"']);
      assert.ok(kit.written().equals(content));
      assert.deepEqual([kit.names(), readdirSync(kit.notes)], [['a.mp4'], []]);
    }),
  );

  it(
    'is removed and told by one of several windows that start at once',
    withDownloads({ client }, (first) =>
      withDownloads({ client }, async (second) => {
        const hanging = await first.serve(silent);
        await killed(first, hanging.url);
        const other = createDownloadFiles({ folder: first.notes, clock: realClock, log: second.log });
        const told = await Promise.all([first.files.takeLeft(), other.takeLeft()]);
        assert.equal(told.flat().length, 1);
        assert.deepEqual([first.names(), readdirSync(first.notes)], [[], []]);
        assert.deepEqual(
          second.log.lines.filter((line) => line.includes('could not')),
          [],
        );
      })(),
    ),
  );

  it(
    'is no concern of a window that was slower to read its note',
    withDownloads({ client }, async (kit) => {
      mkdirSync(kit.notes, { recursive: true });
      // Listed, and gone when it is read.
      symlinkSync(join(kit.notes, 'gone'), join(kit.notes, '0123456789abcdef.json'));
      assert.deepEqual(await kit.files.takeLeft(), []);
      assert.deepEqual(
        kit.log.lines.filter((line) => line.includes('could not')),
        [],
      );
    }),
  );

  it(
    'is not in the way of the same download, and stays noted while its disk is away',
    withDownloads({ client }, async (kit) => {
      const hanging = await kit.serve(silent);
      await killed(kit, hanging.url);
      const server = await kit.serve(whole);
      await kit.get(server.url);
      assert.ok(kit.written().equals(CONTENT));
      const away = `${kit.folder}-away`;
      renameSync(kit.folder, away);
      assert.deepEqual(await kit.files.takeLeft(), []);
      renameSync(away, kit.folder);
      assert.equal((await kit.files.takeLeft()).length, 1);
      assert.deepEqual(kit.names(), ['a.mp4']);
    }),
  );

  it(
    'is known by its note alone: one that is torn, made up, or of a process that lives removes nothing',
    withDownloads({ client }, async (kit) => {
      const id = '0123456789abcdef';
      const part = `${kit.target}.${id}.part`;
      const alive = { pid: process.ppid, run: 'other', target: kit.target, note: OF };
      const notes = [
        '{"pid":',
        '7',
        '{}',
        JSON.stringify({ ...alive, pid: 0, target: 'a.mp4' }),
        JSON.stringify(alive),
      ];
      for (const text of notes) {
        writeFileSync(part, 'mine');
        writeFileSync(join(kit.notes, `${id}.json`), text);
        assert.deepEqual(await kit.files.takeLeft(), []);
        assert.ok(existsSync(part), text);
      }
      assert.equal(readdirSync(kit.notes).length, 1);
      const dayAgo = new Date(Date.now() - 86_400_000);
      utimesSync(part, dayAgo, dayAgo);
      assert.equal((await kit.files.takeLeft()).length, 1, 'the number of a killed process was given to another');
      writeFileSync(join(kit.notes, `${id}.json`), '{"pid":');
      utimesSync(join(kit.notes, `${id}.json`), dayAgo, dayAgo);
      assert.deepEqual(await kit.files.takeLeft(), []);
      assert.deepEqual(readdirSync(kit.notes), [], 'a torn note does not stay for ever');
    }),
  );
});

describeWith(CLIENTS, 'several downloads at once', (client) => {
  it(
    'do not disturb each other; one target is written by one alone',
    withDownloads({ client }, async (kit) => {
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

  // The files are written alike, whoever reads the bytes.
  (client === 'undici' ? it : itInFuzz)(
    'need no more memory for more bytes',
    withDownloads({ client }, async (kit) => {
      const piece = someBytes(256 * 1024);
      const size = 64 * MB;
      const held: number[] = [];
      const server = await kit.serve((_, response) => {
        response.writeHead(200, { 'content-length': size });
        let left = size;
        const push = (): void => {
          while (left > 0) {
            left -= piece.length;
            if (left % (32 * MB) === 0) held.push(heldBytes());
            if (!response.write(piece)) return void response.once('drain', push);
          }
          response.end();
        };
        push();
      });
      const start = heldBytes();
      const targets = ['1.mp4', '2.mp4'].map((name) => join(kit.folder, name));
      const sizes = await Promise.all(targets.map((target) => kit.get(server.url, { target })));
      assert.deepEqual(sizes, [size, size]);
      const more = Math.max(...held) - start;
      assert.ok(held.length === 4 && more < 64 * MB, `${Math.round(more / MB)} MB more, by ${held.length} samples`);
    }),
  );
});
