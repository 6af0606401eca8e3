import assert from 'node:assert/strict';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAbortError } from '../../../../src/api/errors.ts';
import { mayHaveLeft } from '../../../../src/model/downloads/partialFiles.ts';
import { mountSmallDisk, type SmallDisk } from '../../../support/files/smallDisk.ts';
import { sampleOf } from '../../../support/runner/fuzzRuns.ts';
import { CLIENTS, describeWith } from '../../../support/service/clients.ts';
import { fileListener, type ServedFile, someBytes } from '../../../support/service/fileServer.ts';
import { until } from '../../api/support.ts';
import { type DownloadKit, OF, withDownloads } from './downloadFixture.ts';

const MB = 1024 * 1024;
const CONTENT = someBytes(3 * MB);
/** What is on the disk of a download that took more: bytes are written by the megabyte. */
const LEFT = 2 * MB;
const FILE: ServedFile = { content: CONTENT, etag: '"one"' };
const WEEK_MS = 7 * 86_400_000;

/** Closes a window in the middle of a download. */
async function closeMidway(kit: DownloadKit, file: ServedFile = FILE): Promise<void> {
  const hanging = await kit.serve(fileListener(() => ({ ...file, silentAfter: 2.5 * MB })));
  const running = kit.get(`${hanging.url}/?Signature=secret`);
  await until(() => kit.names().some((name) => statSync(join(kit.folder, name)).size === LEFT));
  kit.downloader.dispose();
  kit.files.dispose();
  await assert.rejects(running, isAbortError);
}

/** All windows of a test are of one process, in which a download of another window is one of an earlier process. */
function noteAsOfAnotherProcess(kit: DownloadKit): void {
  const [note = ''] = readdirSync(kit.notes);
  const path = join(kit.notes, note);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), pid: process.ppid }));
}

/** Another window with the same storage, of which nothing is open. */
function withNext(kit: DownloadKit, test: (next: DownloadKit) => Promise<void>): Promise<void> {
  return withDownloads({ shared: kit }, test)();
}

// Either client asks for the rest of a file: download.test.ts. What is kept of it doesn't depend on them.
describeWith(sampleOf(CLIENTS, 1), 'a download that was interrupted', (client) => {
  const resumes = (test: (kit: DownloadKit) => Promise<void>) => withDownloads({ client }, test);

  it(
    'goes on in the next window, which requests the rest alone, and stores no URL meanwhile',
    resumes(async (kit) => {
      await closeMidway(kit);
      const [note = ''] = readdirSync(kit.notes);
      assert.doesNotMatch(readFileSync(join(kit.notes, note), 'utf8'), /http|secret/);
      assert.equal(await mayHaveLeft(kit.notes, Date.now()), true);
      await withNext(kit, async (next) => {
        assert.deepEqual(await next.files.takeLeft(), [{ target: kit.target, note: OF }]);
        assert.deepEqual(await next.files.takeLeft(), [], 'once');
        assert.equal(await mayHaveLeft(kit.notes, Date.now()), false, 'nothing is loaded for it again');
        const server = await next.serve(fileListener(() => FILE));
        const progress: number[] = [];
        const renamed = { ...OF, connection: { ...OF.connection, name: 'Renamed' } };
        await next.get(`${server.url}/?Signature=other`, {
          of: renamed,
          onProgress: (received) => void progress.push(received),
        });
        assert.equal(server.requests[0]?.headers.range, `bytes=${LEFT}-`);
        assert.ok((progress[0] ?? 0) > LEFT);
        assert.ok(next.written().equals(CONTENT));
        assert.deepEqual([kit.names(), readdirSync(kit.notes)], [['a.mp4'], []]);
      });
    }),
  );

  it(
    'goes on without a report before',
    resumes(async (kit) => {
      await closeMidway(kit, { content: CONTENT, lastModified: 'Fri, 20 Nov 2026 10:00:00 GMT' });
      await withNext(kit, async (next) => {
        const server = await next.serve(
          fileListener(() => ({ content: CONTENT, lastModified: 'Fri, 20 Nov 2026 10:00:00 GMT' })),
        );
        await next.get(server.url);
        assert.equal(server.requests[0]?.headers['if-range'], 'Fri, 20 Nov 2026 10:00:00 GMT');
        assert.ok(next.written().equals(CONTENT));
        assert.deepEqual(await next.files.takeLeft(), []);
        assert.deepEqual([kit.names(), readdirSync(kit.notes)], [['a.mp4'], []]);
      });
    }),
  );

  it('begins anew where the file has changed, or its bytes can’t be had from the middle', async () => {
    const other = someBytes(3 * MB, 2);
    for (const file of [
      { content: other, etag: '"two"' },
      { content: other, etag: '"two"', honoursIfRange: false },
      { content: CONTENT, etag: '"one"', hasRanges: false },
    ]) {
      await resumes(async (kit) => {
        await closeMidway(kit);
        await withNext(kit, async (next) => {
          const server = await next.serve(fileListener(() => file));
          await next.get(server.url);
          assert.equal(server.requests[0]?.headers.range, `bytes=${LEFT}-`);
          assert.ok(next.written().equals(file.content));
        });
      })();
    }
  });

  it('leaves nothing where the server doesn’t say how the file is known again', async () => {
    for (const file of [{ content: CONTENT }, { content: CONTENT, etag: 'W/"one"' }]) {
      await resumes(async (kit) => {
        await closeMidway(kit, file);
        assert.deepEqual(kit.names(), []);
      })();
    }
  });

  it(
    'has all but its end: the end is requested again, so that the server says whether the file is the same',
    resumes(async (kit) => {
      await closeMidway(kit);
      const part = join(kit.folder, kit.names()[0] ?? '');
      writeFileSync(part, CONTENT);
      await withNext(kit, async (next) => {
        const server = await next.serve(fileListener(() => FILE));
        await next.get(server.url);
        assert.equal(server.requests[0]?.headers.range, `bytes=${CONTENT.length - 1}-`);
        assert.ok(next.written().equals(CONTENT));
      });
    }),
  );

  it(
    'is not for another video, nor for another target',
    resumes(async (kit) => {
      await closeMidway(kit);
      const [part = ''] = kit.names();
      await withNext(kit, async (next) => {
        const server = await next.serve(fileListener(() => FILE));
        const others = [
          { ...OF, sessionId: 'x2' },
          { ...OF, clipId: 'k1' },
          { ...OF, connection: { id: 'c2', name: 'Production' } },
        ];
        for (const of of others) await next.get(server.url, { of, mayReplace: true });
        await next.get(server.url, { target: join(kit.folder, 'b.mp4') });
        assert.ok(server.requests.every(({ headers }) => headers.range === undefined));
        assert.deepEqual(kit.names(), ['a.mp4', part, 'b.mp4']);
        await next.get(server.url, { mayReplace: true });
        assert.equal(server.requests.at(-1)?.headers.range, `bytes=${LEFT}-`);
        assert.deepEqual(kit.names(), ['a.mp4', 'b.mp4']);
      });
    }),
  );

  it(
    'is taken up by one window, and by no other while that window downloads it',
    resumes(async (kit) => {
      await closeMidway(kit);
      await withNext(kit, async (one) =>
        withNext(kit, async (two) => {
          const slow = await one.serve(fileListener(() => ({ ...FILE, silentAfter: MB / 2 })));
          const cancelling = new AbortController();
          const { signal } = cancelling;
          let received = 0;
          const onProgress = (bytes: number) => {
            received = bytes;
          };
          const running = [one.get(slow.url, { signal, onProgress })];
          await until(() => received > LEFT);
          noteAsOfAnotherProcess(kit);
          running.push(two.get(slow.url, { signal }));
          await until(() => slow.requests.length === 2);
          assert.deepEqual(
            slow.requests.map(({ headers }) => headers.range),
            [`bytes=${LEFT}-`, undefined],
          );
          assert.equal(kit.names().length, 2);
          cancelling.abort();
          for (const each of running) await assert.rejects(each, isAbortError);
          assert.deepEqual([kit.names(), readdirSync(kit.notes)], [[], []], 'who cancels wants nothing of it');
        }),
      );
    }),
  );

  it(
    'follows no link that has taken the place of what it left',
    resumes(async (kit) => {
      await closeMidway(kit);
      const part = join(kit.folder, kit.names()[0] ?? '');
      const mine = join(kit.notes, 'mine');
      writeFileSync(mine, 'mine');
      rmSync(part);
      symlinkSync(mine, part);
      await withNext(kit, async (next) => {
        const server = await next.serve(fileListener(() => FILE));
        assert.equal(await next.failure(server.url), 'notWritten');
        assert.equal(readFileSync(mine, 'utf8'), 'mine');
        await next.get(server.url);
        assert.ok(next.written().equals(CONTENT));
      });
    }),
  );

  it(
    'is not kept for longer than a week, nor reported again after a week',
    resumes(async (kit) => {
      await closeMidway(kit);
      await withNext(kit, async (next) => {
        await next.files.takeLeft();
        const [note = ''] = readdirSync(kit.notes);
        const old = new Date(Date.now() - WEEK_MS - 60_000);
        utimesSync(join(kit.notes, note), old, old);
        assert.equal(await mayHaveLeft(kit.notes, Date.now()), true);
        assert.deepEqual(await next.files.takeLeft(), []);
        assert.deepEqual([kit.names(), readdirSync(kit.notes)], [[], []]);
      });
    }),
  );

  it(
    'stays reported once while its disk is away',
    resumes(async (kit) => {
      await closeMidway(kit);
      await withNext(kit, async (next) => {
        const away = `${kit.folder}-away`;
        renameSync(kit.folder, away);
        const told = await next.files.takeLeft();
        renameSync(away, kit.folder);
        assert.equal([...told, ...(await next.files.takeLeft())].length, 1);
        const server = await next.serve(fileListener(() => FILE));
        await next.get(server.url);
        assert.equal(server.requests[0]?.headers.range, `bytes=${LEFT}-`);
      });
    }),
  );

  it(
    'goes on at the next try where its connection was lost for long, or its address had expired',
    resumes(async (kit) => {
      let isBack = false;
      const server = await kit.serve((request, response) => {
        const isExpired = request.headers.range !== undefined && !isBack;
        if (isExpired) return void response.writeHead(403).end();
        fileListener(() => (isBack ? FILE : { ...FILE, ...kit.cut(2.5 * MB) }))(request, response);
      });
      assert.equal(await kit.failure(server.url), 'refused');
      assert.equal(kit.names().length, 1);
      assert.equal(await mayHaveLeft(kit.notes, Date.now()), false, 'it has been reported');
      isBack = true;
      await kit.get(server.url);
      assert.match(server.requests.at(-1)?.headers.range ?? '', /^bytes=\d{7}-$/);
      assert.ok(kit.written().equals(CONTENT));
      assert.deepEqual([kit.names(), readdirSync(kit.notes)], [['a.mp4'], []]);
    }),
  );

  it(
    'goes on where the disk that was full has space again',
    resumes(async (kit) => {
      const disk = mountSmallDisk(4 * MB);
      try {
        const target = join(disk.path, 'a.mp4');
        const server = await kit.serve(
          fileListener((count) => {
            // What is free is looked up before: others need it while the download is under way.
            if (count === 1) return { ...FILE, ...kit.cut(MB) };
            if (count === 2) disk.fill(MB);
            return FILE;
          }),
        );
        assert.equal(await kit.failure(server.url, { target }), 'diskFull');
        const filler = readdirSync(disk.path).find((name) => name.startsWith('filler')) ?? assert.fail();
        assert.equal(readdirSync(disk.path).length, 2);
        rmSync(join(disk.path, filler));
        await kit.get(server.url, { target });
        assert.match(server.requests.at(-1)?.headers.range ?? '', /^bytes=\d{7}-$/);
        assert.ok(readFileSync(target).equals(CONTENT));
        assert.deepEqual(readdirSync(disk.path), ['a.mp4']);
      } finally {
        disk.remove();
      }
    }),
  );

  for (const [state, block] of [
    ['are read-only', (disk: SmallDisk) => disk.setReadOnly(true)],
    ['are full', (disk: SmallDisk) => disk.fill(0)],
    ['have space for a new note, but not to complete it', (disk: SmallDisk) => disk.fill(4096)],
  ] as const) {
    it(`is kept where notes ${state}, and goes on once they can be written`, async () => {
      const disk = mountSmallDisk(64 * 4096);
      const folder = mkdtempSync(join(tmpdir(), 'live-streams-download-'));
      try {
        await withDownloads({ client, shared: { folder, notes: disk.path } }, async (kit) => {
          const server = await kit.serve(fileListener(() => FILE));
          await closeMidway(kit);
          const left = kit.names();
          block(disk);
          await withNext(kit, async (next) => {
            await next.get(server.url);
            assert.match(next.log.lines.join(), /Couldn't record/);
            assert.ok(next.written().equals(CONTENT));
            assert.deepEqual(next.names(), ['a.mp4', ...left]);
          });
          disk.setReadOnly(false);
          for (const name of readdirSync(disk.path)) if (name.startsWith('filler')) rmSync(join(disk.path, name));
          await withNext(kit, async (next) => {
            await next.get(server.url, { mayReplace: true });
            assert.equal(server.requests.at(-1)?.headers.range, `bytes=${LEFT}-`);
            assert.ok(next.written().equals(CONTENT));
            assert.deepEqual(next.names(), ['a.mp4']);
          });
        })();
      } finally {
        disk.remove();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
