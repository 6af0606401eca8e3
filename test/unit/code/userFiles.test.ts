import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, posix, win32 } from 'node:path';
import {
  isInFolder,
  MOST_TEXT_BYTES,
  prepareOverwrite,
  readFoundFile,
  readUserFile,
  renameOver,
  UserFileError,
  writeChosenFile,
} from '../../../src/code/userFiles.ts';
import { mountSmallDisk } from '../../support/files/smallDisk.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';
import { forbidLargeBuffers } from '../../support/runner/largeBuffers.ts';

const MB = 1024 * 1024;

describe('Reading a file of the user', () => {
  forbidLargeBuffers();
  const { signal } = new AbortController();
  let root = '';
  let folder = '';
  before(() => {
    root = makeTemporaryFolder('userFiles');
    folder = join(root, 'folder');
    mkdirSync(folder);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const read = async (name: string, within = folder) => {
    const found = await readFoundFile(join(folder, name), { folder: within, signal });
    return found instanceof Uint8Array ? Buffer.from(found).toString() : found;
  };

  it('returns what it holds, up to 5 MB', async () => {
    writeFileSync(join(folder, 'empty'), '');
    writeFileSync(join(folder, 'text'), 'text');
    writeFileSync(join(folder, 'large'), Buffer.alloc(MOST_TEXT_BYTES, 'x'));
    writeFileSync(join(folder, 'tooLarge'), Buffer.alloc(MOST_TEXT_BYTES + 1, 'x'));
    assert.deepEqual([await read('empty'), await read('text')], ['', 'text']);
    assert.equal(await read('large'), 'x'.repeat(MOST_TEXT_BYTES));
    assert.equal(await read('tooLarge'), 'tooLarge');
  });

  it('returns nothing for what leads out of the folder, isn’t a file, or can’t be read', async () => {
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside/secret'), 'secret');
    symlinkSync('../outside/secret', join(folder, 'linkOut'));
    symlinkSync('../outside', join(folder, 'folderOut'));
    symlinkSync('/proc/self/pagemap', join(folder, 'notes.txt'));
    symlinkSync('/dev/zero', join(folder, 'zero'));
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('.', join(folder, 'itself'));
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    writeFileSync(join(folder, 'inside'), 'inside');
    symlinkSync('inside', join(folder, 'linkInside'));
    for (const name of ['linkOut', 'folderOut/secret', 'notes.txt', 'zero', 'loop', 'itself', 'fifo', 'missing']) {
      assert.equal(await read(name), undefined, name);
    }
    for (const name of ['linkInside', 'itself/inside']) assert.equal(await read(name), 'inside', name);
  });

  it('returns nothing for files of the kernel, also if the open folder is above them', async () => {
    for (const path of ['/proc/self/pagemap', '/proc/version', '/sys/kernel/mm/transparent_hugepage/enabled']) {
      assert.equal(await readFoundFile(path, { folder: '/', signal }), undefined, path);
    }
  });

  it('follows links above the folder', async () => {
    writeFileSync(join(folder, 'above'), 'above');
    symlinkSync(folder, join(root, 'linked'));
    for (const [found, within] of [
      [join(root, 'linked/above'), join(root, 'linked')],
      [join(root, 'linked/above'), folder],
      [join(folder, 'above'), join(root, 'linked')],
    ] as const) {
      assert.ok((await readFoundFile(found, { folder: within, signal })) instanceof Uint8Array);
    }
  });

  it('reads no more than the limit, whatever size the file claims to have', async () => {
    assert.equal(await readUserFile('/proc/kallsyms', { limit: 2 * MB }), 'tooLarge');
    const status = await readUserFile('/proc/self/status', { limit: 3 * MB });
    assert.match(String(status), /^Name:[\s\S]*\n$/);
    assert.equal(await readUserFile('/proc/self/status', { limit: 10 }), 'tooLarge');
  });

  it('refuses what isn’t a regular file without waiting for it', async () => {
    execFileSync('mkfifo', [join(root, 'fifo')]);
    for (const path of [join(root, 'fifo'), '/dev/zero', root]) {
      const reading = readUserFile(path, { limit: 10 });
      await assert.rejects(reading, (error) => error instanceof UserFileError && error.problem === 'notRegular');
    }
  });

  it('ends at once when it is cancelled', async () => {
    writeFileSync(join(folder, 'sparse'), '');
    truncateSync(join(folder, 'sparse'), 60 * MB);
    const controller = new AbortController();
    const reading = readUserFile(join(folder, 'sparse'), { limit: 60 * MB, signal: controller.signal });
    controller.abort();
    await assert.rejects(reading, { name: 'AbortError' });
    const found = readFoundFile(join(folder, 'text'), { folder, signal: controller.signal });
    await assert.rejects(found, { name: 'AbortError' });
  });
});

describe('Writing a file that the user chose', () => {
  let folder = '';
  beforeEach(() => {
    folder = makeTemporaryFolder('chosenFile');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const failed = (problem: string) => (error: unknown) => error instanceof UserFileError && error.problem === problem;
  const contents = (path: string) => readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]);

  it('creates the file, or replaces it with its permissions, and leaves nothing beside it', async () => {
    const path = join(folder, 'frame.png');
    await writeChosenFile(path, Buffer.from('one'));
    chmodSync(path, 0o640);
    await writeChosenFile(path, Buffer.from('two'));
    assert.deepEqual(contents(folder), [['frame.png', 'two']]);
    assert.equal(statSync(path).mode & 0o7777, 0o640);
  });

  it('follows a link to a file anywhere, and keeps the link', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'real.png'), 'one');
    symlinkSync('elsewhere/real.png', join(folder, 'frame.png'));
    await writeChosenFile(join(folder, 'frame.png'), Buffer.from('two'));
    assert.equal(readlinkSync(join(folder, 'frame.png')), 'elsewhere/real.png');
    assert.deepEqual(contents(elsewhere), [['real.png', 'two']]);
  });

  it('refuses what can’t be replaced, and a folder that isn’t there', async () => {
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    symlinkSync('missing', join(folder, 'dangling'));
    const refused = { fifo: 'notRegular', dangling: 'danglingLink', '.': 'folder', 'missing/a.png': 'unwritable' };
    for (const [name, problem] of Object.entries(refused)) {
      await assert.rejects(writeChosenFile(join(folder, name), Buffer.from('two')), failed(problem), name);
    }
    assert.deepEqual(readdirSync(folder).sort(), ['dangling', 'fifo']);
  });

  it('leaves the file as it was on a full disk', async () => {
    const disk = mountSmallDisk(40 * 4096);
    try {
      const path = join(disk.path, 'frame.png');
      for (const before of [undefined, 'one']) {
        if (before !== undefined) writeFileSync(path, before);
        disk.fill(4 * 4096);
        const old = readdirSync(disk.path);
        await assert.rejects(writeChosenFile(path, Buffer.alloc(10 * 4096)), failed('unwritable'));
        assert.deepEqual(readdirSync(disk.path), old);
        if (before !== undefined) assert.equal(readFileSync(path, 'utf8'), before);
      }
    } finally {
      disk.remove();
    }
  });
});

describe('A problem with a file of the user', () => {
  it('names what is wrong and the code of the system, and keeps the cause', () => {
    const cause = Object.assign(new Error('A path'), { code: 'ENOSPC' });
    const error = new UserFileError('unwritable', cause);
    assert.deepEqual([error.message, error.cause], ['A file of the user: unwritable ENOSPC', cause]);
    assert.equal(new UserFileError('folder').message, 'A file of the user: folder');
  });
});

describe('A path', () => {
  it('is in a folder by its parts', () => {
    for (const path of ['/a', '/a/b', '/a/..b', '/a/b/../c']) assert.ok(isInFolder(path, '/a', posix), path);
    for (const path of ['/', '/ab', '/b/a', '/a/..', '/a/../b']) assert.ok(!isInFolder(path, '/a', posix), path);
    assert.ok(isInFolder('/b', '/', posix));
  });

  it('is in a folder on Windows, whatever its case, by drive and share', () => {
    const folder = 'C:\\Work\\app';
    for (const path of ['c:\\work\\APP\\.env', 'C:\\Work\\app\\..x']) assert.ok(isInFolder(path, folder, win32), path);
    for (const path of ['D:\\Work\\app\\.env', 'C:\\Work\\app2\\.env', 'C:\\.env', '\\\\server\\Work\\app\\.env']) {
      assert.ok(!isInFolder(path, folder, win32), path);
    }
    assert.ok(isInFolder('\\\\Server\\share\\app\\.env', '\\\\server\\share\\app', win32));
    assert.ok(!isInFolder('\\\\server\\other\\app\\.env', '\\\\server\\share\\app', win32));
  });
});

describe('Renaming a file over another', () => {
  const failing = (codes: readonly string[]) => {
    const left = [...codes];
    return { left, rename: async () => fail(left.shift()) };
  };
  const fail = (code: string | undefined) => {
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  };

  it('is tried again on Windows while another program has the file', async () => {
    const { left, rename } = failing(['EPERM', 'EBUSY', 'EACCES']);
    await renameOver('a', 'b', { rename, platform: 'win32' });
    assert.deepEqual(left, []);
  });

  it('is given up there after 2 seconds', async () => {
    const start = performance.now();
    const rename = async () => fail('EBUSY');
    await assert.rejects(renameOver('a', 'b', { rename, platform: 'win32' }), { code: 'EBUSY' });
    assert.ok(performance.now() - start >= 2000);
  });

  it('fails at once for other reasons, and elsewhere', async () => {
    for (const [code, platform] of [
      ['ENOSPC', 'win32'],
      ['EPERM', 'linux'],
      ['EBUSY', 'darwin'],
    ] as const) {
      const { left, rename } = failing([code, code]);
      await assert.rejects(renameOver('a', 'b', { rename, platform }), { code });
      assert.equal(left.length, 1);
    }
  });
});

describe('Overwriting a file', () => {
  const [before, after] = [Buffer.from('old'), Buffer.from('new and longer')];

  it('replaces the file, creates it, and removes it', async () => {
    for (const [from, to] of [
      [before, after],
      [undefined, after],
      [before, undefined],
    ] as const) {
      const file = fakeFile(from);
      await prepareOverwrite(file, from, to).commit();
      assert.deepEqual(file.content, to);
    }
  });

  it('does nothing to a file that was changed meanwhile', async () => {
    for (const [found, expected] of [
      [after, before],
      [undefined, before],
      [after, undefined],
    ] as const) {
      const file = fakeFile(found);
      await rejects(prepareOverwrite(file, expected, Buffer.from('other')).commit(), 'changed');
      assert.deepEqual([file.content, file.writes], [found, 0]);
    }
  });

  it('puts the old content back if what is there afterwards isn’t the new one, with or without an error', async () => {
    for (const from of [before, undefined]) {
      for (const error of [undefined, new Error('ENOSPC')]) {
        const file = fakeFile(from, [{ bytes: 3, error }]);
        await rejects(prepareOverwrite(file, from, after).commit(), 'unwritable');
        assert.deepEqual(file.content, from);
      }
    }
  });

  it('believes what it reads back rather than an error', async () => {
    const file = fakeFile(before, [{ bytes: 100, error: new Error('Offline') }]);
    await prepareOverwrite(file, before, after).commit();
    assert.deepEqual(file.content, after);
  });

  it('says so if it doesn’t know what the file holds', async () => {
    const torn = fakeFile(before, [{ bytes: 3 }, { bytes: 1 }]);
    await rejects(prepareOverwrite(torn, before, after).commit(), 'uncertain');
    const unreadable = { ...fakeFile(before), read: fails(1) };
    await rejects(prepareOverwrite(unreadable, before, after).commit(), 'uncertain');
    await rejects(prepareOverwrite({ ...fakeFile(before), read: fails(0) }, before, after).commit(), 'unreadable');
  });

  /** Reads the old content so often, and fails then. */
  function fails(afterReads: number): () => Promise<Uint8Array> {
    let reads = 0;
    return async () => {
      reads += 1;
      if (reads > afterReads) throw new Error('Offline');
      return before;
    };
  }

  async function rejects(committing: Promise<void>, problem: string): Promise<void> {
    await assert.rejects(committing, (error) => error instanceof UserFileError && error.problem === problem);
  }
});

/** @param faults of each write: how many bytes arrive, and what it throws */
function fakeFile(
  content: Buffer | undefined,
  faults: readonly { readonly bytes: number; readonly error?: Error | undefined }[] = [],
) {
  const left = [...faults];
  const file = {
    content,
    writes: 0,
    read: async () => file.content,
    async write(bytes: Uint8Array) {
      file.writes += 1;
      const fault = left.shift();
      file.content = Buffer.from(bytes.subarray(0, fault?.bytes));
      if (fault?.error !== undefined) throw fault.error;
    },
    async remove() {
      if (file.content === undefined) throw new Error('There is no file');
      file.content = undefined;
    },
  };
  return file;
}
