import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isIgnored } from '../../../src/code/gitIgnore.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';

describe('Git', () => {
  let root = '';
  before(() => {
    root = makeTemporaryFolder('gitIgnore');
    execFileSync('git', ['init', '-q', root]);
    writeFileSync(join(root, '.gitignore'), '.env*\n-x\n');
    writeFileSync(join(root, '.env.tracked'), '');
    execFileSync('git', ['add', '-f', '.env.tracked'], { cwd: root });
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const ask = (name: string, git = 'git') => isIgnored(join(root, name), { git, root });

  it('says which files it ignores, and none that it tracks', async () => {
    const names = ['.env', 'folder/.env', '-x', '.env.tracked', 'a.ts', '.gitignore'];
    assert.deepEqual(await Promise.all(names.map((name) => ask(name))), [true, true, true, false, false, false]);
  });

  it('gives the same answer each time, also if it is asked much at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('.env')));
    assert.deepEqual(new Set(answers), new Set([true]));
  });

  it('says nothing about files outside of its repository, or if it can’t be started', async () => {
    await assert.rejects(ask('../other'), /outside repository/);
    await assert.rejects(ask('.env', join(root, 'missing')), { code: 'ENOENT' });
  });
});
