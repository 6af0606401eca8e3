import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { addToEnvFile, EnvMoveError, ignoredText, type UserFile } from '../../../src/code/envMove.ts';
import type { FileLocation } from '../../../src/code/exposure.ts';
import { UserFileError } from '../../../src/code/userFiles.ts';
import { moveKeyTo, saveTo, textOf, waitingFolders } from '../../support/files/envFolder.ts';
import { mountSmallDisk } from '../../support/files/smallDisk.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';

const KEY = '4f7a-x2k9-0bcd-q1w2';
const VARIABLE = { name: 'STREAM_KEY', value: KEY };
const PAGE = 4096;

describe('Moving a key to .env', () => {
  let root = '';
  let folder = '';
  before(() => {
    root = makeTemporaryFolder('envMove');
  });
  after(() => rmSync(root, { recursive: true, force: true }));
  beforeEach(() => {
    folder = join(root, 'package');
    mkdirSync(folder);
  });
  afterEach(() => {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
  });

  it('creates the file, and makes Git ignore it first', async () => {
    assert.equal(await moveKeyTo(folder, VARIABLE), 'STREAM_KEY');
    assert.deepEqual(contents(folder), { '.env': `STREAM_KEY=${KEY}\n`, '.gitignore': '.env\n' });
    writeFileSync(join(folder, 'other'), '');
    assert.equal(statSync(join(folder, '.env')).mode, statSync(join(folder, 'other')).mode);
  });

  it('keeps what the file has: text, line ends, a byte order mark, permissions, and owner', async () => {
    writeFileSync(join(folder, '.env'), '\uFEFFA=1\r\n');
    chmodSync(join(folder, '.env'), 0o640);
    const owners = [
      [1234, 0],
      [0, 4321],
    ] as const;
    for (const [number, [owner, group]] of owners.entries()) {
      chownSync(join(folder, '.env'), owner, group);
      await moveKeyTo(folder, { name: `KEY_${number}`, value: `value-${number}` });
      const { mode, uid, gid } = statSync(join(folder, '.env'));
      assert.deepEqual([mode & 0o7777, uid, gid], [0o640, owner, group]);
    }
    assert.equal(textOf(folder, '.env'), '\uFEFFA=1\r\nKEY_0=value-0\r\nKEY_1=value-1\r\n');
  });

  it('leaves every file as it was on a full disk, however much of it is free', async () => {
    const before = `A=${'x'.repeat(3 * PAGE - 10)}\n`;
    const outcomes = { moved: 0, refused: 0 };
    for (const ignored of [undefined, 'dist\n'.repeat(2000)]) {
      for (let free = 0; free < 14 * PAGE; free += PAGE) {
        const disk = mountSmallDisk(40 * PAGE);
        try {
          writeFileSync(join(disk.path, '.env'), before);
          if (ignored !== undefined) writeFileSync(join(disk.path, '.gitignore'), ignored);
          disk.fill(free);
          const old = contents(disk.path);
          const message = await refusalOf(moveKeyTo(disk.path, VARIABLE));
          if (message === undefined) {
            outcomes.moved += 1;
            const moved = { '.env': `${before}STREAM_KEY=${KEY}\n`, '.gitignore': `${ignored ?? ''}.env\n` };
            assert.deepEqual(contents(disk.path), { ...old, ...moved });
          } else {
            outcomes.refused += 1;
            assert.match(message, /^Couldn't write to \.(env|gitignore)\. The key wasn't saved\.$/);
            assert.deepEqual(contents(disk.path), old);
          }
        } finally {
          disk.remove();
        }
      }
    }
    assert.ok(outcomes.moved > 5 && outcomes.refused > 5, JSON.stringify(outcomes));
  });

  it('follows a link to a file in the folder, and keeps the link', async () => {
    mkdirSync(join(folder, 'config'));
    writeFileSync(join(folder, 'config/.env'), 'A=1\n');
    symlinkSync('config/.env', join(folder, '.env'));
    await moveKeyTo(folder, VARIABLE);
    assert.equal(readlinkSync(join(folder, '.env')), 'config/.env');
    assert.equal(textOf(folder, 'config/.env'), `A=1\nSTREAM_KEY=${KEY}\n`);
  });

  const outside = () => join(root, 'outside');
  const refused: Readonly<Record<string, readonly [make: (env: string) => void, says: RegExp]>> = {
    'a link out of the folder': [
      (env) => {
        writeFileSync(outside(), 'A=1\n');
        symlinkSync(outside(), env);
      },
      /^\.env points outside the folder through a symbolic link\. The key wasn't saved\.$/,
    ],
    'a link to a file in a linked folder outside': [
      (env) => {
        mkdirSync(join(root, 'elsewhere'), { recursive: true });
        symlinkSync(join(root, 'elsewhere'), join(folder, 'linked'));
        symlinkSync('linked/.env', env);
        writeFileSync(env, '');
      },
      /outside the folder/,
    ],
    'a link to nothing': [
      (env) => symlinkSync('missing', env),
      /^\.env is a symbolic link to a file that doesn't exist\./,
    ],
    'a link to itself': [(env) => symlinkSync('.env', env), /^Couldn't read \.env\. The key wasn't saved\.$/],
    'a FIFO': [(env) => execFileSync('mkfifo', [env]), /^\.env isn't a regular file\./],
    'a folder': [(env) => mkdirSync(env), /^\.env is a folder\./],
    'a file of another encoding': [(env) => writeFileSync(env, Buffer.from([0x41, 0x3d, 0xe4])), /isn't a UTF-8 file/],
    'a file of more than 5 MB': [(env) => writeFileSync(env, 'A=1\n'.repeat(1_400_000)), /is larger than 5 MB\./],
    'a file of the kernel': [(env) => symlinkSync('/proc/version', env), /outside the folder/],
  };
  for (const [what, [make, says]] of Object.entries(refused)) {
    it(`refuses ${what} in words, and changes nothing`, async () => {
      make(join(folder, '.env'));
      const old = contents(root);
      assert.match((await refusalOf(moveKeyTo(folder, VARIABLE))) ?? 'It was moved', says);
      assert.deepEqual(contents(root), old);
    });
  }

  it('refuses a file that can’t be changed, and a folder that can’t, at once', async () => {
    writeFileSync(join(folder, '.env'), 'A=1\n');
    for (const path of [join(folder, '.env'), folder]) {
      execFileSync('chattr', ['+i', path]);
      try {
        const old = contents(folder);
        // It would wait for ever to try again.
        mock.timers.enable({ apis: ['setTimeout'] });
        const message = await refusalOf(moveKeyTo(folder, VARIABLE, () => 'ignored')).finally(() =>
          mock.timers.reset(),
        );
        assert.equal(message, "Couldn't write to .env. The key wasn't saved.");
        assert.deepEqual(contents(folder), old);
      } finally {
        execFileSync('chattr', ['-i', path]);
      }
    }
  });

  it('refuses a .gitignore file that is a link out of the folder', async () => {
    writeFileSync(outside(), 'dist\n');
    symlinkSync(outside(), join(folder, '.gitignore'));
    const old = contents(root);
    assert.match((await refusalOf(moveKeyTo(folder, VARIABLE))) ?? '', /^\.gitignore points outside the folder/);
    assert.deepEqual(contents(root), old);
  });

  for (const ignored of [undefined, 'dist\n']) {
    it(`takes back ${ignored === undefined ? 'the new .gitignore' : 'the line in .gitignore'} if Git tracks .env`, async () => {
      writeFileSync(join(folder, '.env'), 'A=1\n');
      if (ignored !== undefined) writeFileSync(join(folder, '.gitignore'), ignored);
      const old = contents(folder);
      const message = await refusalOf(moveKeyTo(folder, VARIABLE, () => 'kept'));
      assert.match(message ?? '', /^Git doesn't ignore \.env, so the key wasn't saved\./);
      assert.deepEqual(contents(folder), old);
    });
  }

  it('asks Git about the file that a link leads to, and refuses where Git can’t be asked', async () => {
    mkdirSync(join(folder, 'config'));
    writeFileSync(join(folder, 'config/dev.env'), 'A=1\n');
    symlinkSync('config/dev.env', join(folder, '.env'));
    const old = contents(folder);
    const message = await refusalOf(moveKeyTo(folder, VARIABLE, () => 'unknown'));
    assert.match(
      message ?? '',
      /^\.env points to another file through a symbolic link, and VS Code can't tell whether Git ignores that file/,
    );
    assert.deepEqual(contents(folder), old);
  });

  it('refuses to change a file that Git may track where Git can’t be asked', async () => {
    writeFileSync(join(folder, '.env'), 'A=1\n');
    writeFileSync(join(folder, '.gitignore'), '.env\n');
    const old = contents(folder);
    const message = await refusalOf(moveKeyTo(folder, VARIABLE, () => 'unknown'));
    assert.match(message ?? '', /^Couldn't check whether Git tracks \.env, so the key wasn't saved\./);
    assert.deepEqual(contents(folder), old);
  });

  it('adds no line that .gitignore has where Git can’t be asked', async () => {
    writeFileSync(join(folder, '.gitignore'), 'dist\r\n.env\r\n');
    await moveKeyTo(folder, VARIABLE, () => 'unknown');
    assert.equal(textOf(folder, '.gitignore'), 'dist\r\n.env\r\n');
    assert.equal(textOf(folder, '.env'), `STREAM_KEY=${KEY}\n`);
  });

  it('adds the line once more if an exception follows the first one', async () => {
    writeFileSync(join(folder, '.gitignore'), '.env\n!.env\n');
    const isIgnored = () => textOf(folder, '.gitignore').endsWith('\n.env\n');
    await moveKeyTo(folder, VARIABLE, () => (isIgnored() ? 'ignored' : 'kept'));
    assert.equal(textOf(folder, '.gitignore'), '.env\n!.env\n.env\n');
  });

  it('adds the line that .gitignore lacks where Git can’t be asked', async () => {
    writeFileSync(join(folder, '.gitignore'), 'dist\n');
    await moveKeyTo(folder, VARIABLE, () => 'unknown');
    assert.equal(textOf(folder, '.gitignore'), 'dist\n.env\n');
  });

  it('writes no .gitignore file outside of a repository', async () => {
    const added = await saveTo(folder, [VARIABLE], () => 'outside');
    assert.deepEqual(contents(folder), { '.env': `STREAM_KEY=${KEY}\n` });
    assert.match(ignoredText(added), /^This folder isn't in a Git repository\./);
  });

  it('says nothing of .gitignore where Git ignores the file already', async () => {
    assert.equal(ignoredText(await saveTo(folder, [VARIABLE], () => 'ignored')), '');
  });

  describe('files that can fail', () => {
    it('overwrites nothing that another program wrote meanwhile', async () => {
      writeFileSync(join(folder, '.env'), 'A=1\n');
      const message = await refusalOf(
        moveKeyTo(folder, VARIABLE, () => {
          writeFileSync(join(folder, '.env'), 'A=2\n');
          return 'ignored';
        }),
      );
      assert.match(message ?? '', /^\.env was changed by another program\. The key wasn't saved\. Try again\.$/);
      assert.deepEqual(contents(folder), { '.env': 'A=2\n' });
    });

    it('says so if the line in .gitignore couldn’t be taken back', async () => {
      const message = await refusalOf(
        moveKeyTo(folder, VARIABLE, () => {
          if (existsSync(join(folder, '.gitignore'))) writeFileSync(join(folder, '.gitignore'), '.env\nmine\n');
          return 'kept';
        }),
      );
      assert.match(
        message ?? '',
        /^Git doesn't ignore \.env.*\. The line "\.env" couldn't be removed from \.gitignore\.$/,
      );
      assert.deepEqual(contents(folder), { '.gitignore': '.env\nmine\n' });
    });

    it('keeps Git from taking a file that may have the key', async () => {
      const seen: string[] = [];
      const env = fakeFile('.env', seen, new UserFileError('uncertain'));
      const message = await refusalOf(add(env, fakeFile('.gitignore', seen)));
      assert.match(
        message ?? '',
        /^Couldn't finish writing to \.env, so it may be incomplete\. Check it before you try again\./,
      );
      assert.deepEqual(seen, ['.gitignore: .env\n', '.env: STREAM_KEY=4f7a-x2k9-0bcd-q1w2\n']);
    });

    it('takes the line in .gitignore back if .env couldn’t be written, and throws what isn’t about files', async () => {
      for (const error of [new UserFileError('unwritable'), new TypeError('A bug')]) {
        const seen: string[] = [];
        const adding = add(fakeFile('.env', seen, error), fakeFile('.gitignore', seen));
        await assert.rejects(adding, error instanceof UserFileError ? EnvMoveError : TypeError);
        assert.deepEqual(seen.slice(2), ['.gitignore removed']);
      }
    });
  });

  async function add(env: UserFile, ignore: UserFile): Promise<string> {
    const openIgnoreFile = async () => ignore;
    const isInRepository = async () => true;
    return (await addToEnvFile({ env, variables: [VARIABLE], openIgnoreFile, isInRepository })).names.join();
  }
});

function fakeFile(shownPath: string, seen: string[], failure?: Error): UserFile {
  let location: FileLocation = 'kept';
  return {
    ...{ shownPath, isLink: false },
    read: async () => undefined,
    prepare: async (_before, after) => ({
      async commit() {
        seen.push(`${shownPath}: ${Buffer.from(after).toString()}`);
        if (failure !== undefined) throw failure;
      },
      dispose: async () => {},
    }),
    remove: async () => void seen.push(`${shownPath} removed`),
    async location() {
      const now = location;
      location = 'ignored';
      return now;
    },
  };
}

/** The sentence that the user gets; undefined if the key was moved. */
async function refusalOf(moving: Promise<string>): Promise<string | undefined> {
  try {
    await moving;
    return undefined;
  } catch (error) {
    assert.ok(error instanceof EnvMoveError, String(error));
    assert.ok(!error.message.includes(KEY));
    return error.message;
  }
}

/** All that is in a folder, by path. */
function contents(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  assert.deepEqual(waitingFolders(folder), []);
  return Object.fromEntries(paths.map((path) => [path, describeFile(join(folder, path))]));
}

function describeFile(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return stats.isFile() ? readFileSync(path, 'latin1') : `mode ${stats.mode}`;
}
