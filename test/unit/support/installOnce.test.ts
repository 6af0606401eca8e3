import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTestFolder } from '../../support/projectFolder.ts';
import { installOnce } from '../../support/vscode/installOnce.ts';

describe('What is installed once', () => {
  const name = `installed-by-a-test-${process.pid}`;
  afterEach(() => rmSync(inTestFolder(name), { recursive: true, force: true }));

  it('is filled once where one process wants it twice at once, and is there for both', async () => {
    const filled: string[] = [];
    const fill = async (folder: string) => {
      filled.push(folder);
      await new Promise((resolve) => setImmediate(resolve));
      writeFileSync(join(folder, 'file'), '');
    };
    const folders = await Promise.all([installOnce(name, fill), installOnce(name, fill)]);
    assert.deepEqual(folders, [inTestFolder(name), inTestFolder(name)]);
    assert.equal(filled.length, 1);
    assert.ok(existsSync(join(inTestFolder(name), 'file')));
    await installOnce(name, fill);
    assert.equal(filled.length, 1);
  });

  it('is tried again after it failed, and leaves nothing', async () => {
    const fail = async () => {
      throw new Error('no registry');
    };
    await assert.rejects(installOnce(name, fail), /no registry/);
    assert.ok(!existsSync(inTestFolder(name)));
    assert.equal(await installOnce(name, async () => undefined), inTestFolder(name));
  });
});
