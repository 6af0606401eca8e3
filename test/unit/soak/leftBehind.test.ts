import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { filesBelow, type Holdings, leftSince, openDescriptors } from '../../soak/leftBehind.ts';
import { makeTemporaryFolder } from '../../support/process/temporaryFolder.ts';

const NOTHING: Holdings = { timers: 0, descriptors: new Map(), listeners: new Map(), files: [] };

describe('What a soak leaves behind', () => {
  let folder = '';
  before(() => {
    folder = makeTemporaryFolder('leftBehind');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is what there is more of than before', () => {
    const before = {
      ...NOTHING,
      timers: 2,
      listeners: new Map([['onDidClose', 5]]),
      descriptors: new Map([['socket', 3]]),
      files: ['/a'],
    };
    assert.deepEqual(leftSince(before, before), []);
    assert.deepEqual(leftSince(before, NOTHING), []);
    const now = {
      timers: 3,
      listeners: new Map([['onDidClose', 7]]),
      descriptors: new Map([...before.descriptors, ['/b', 1]]),
      files: ['/a', '/c'],
    };
    assert.deepEqual(leftSince(before, now), ['1 timers', '2 listeners: onDidClose', '1 descriptors: /b', '/c']);
    assert.deepEqual(leftSince(before, { ...before, descriptors: new Map([['socket', 5]]) }), [
      '2 descriptors: socket',
    ]);
  });

  it('has the files and sockets that this process has open, and folders', async () => {
    const before = { ...NOTHING, descriptors: openDescriptors(), files: filesBelow(folder) };
    const left = () => leftSince(before, { ...NOTHING, descriptors: openDescriptors(), files: filesBelow(folder) });
    const path = join(folder, 'kept');
    const file = openSync(path, 'w');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    assert.deepEqual(
      left().filter((line) => line.includes(path)),
      [`1 descriptors: ${path}`, path],
    );
    assert.ok((openDescriptors().get('socket') ?? 0) > 0);
    closeSync(file);
    await new Promise((resolve) => server.close(resolve));
    rmSync(path);
    assert.deepEqual(
      left().filter((line) => line.includes(path)),
      [],
    );
    assert.deepEqual(filesBelow(join(folder, 'missing')), []);
    mkdirSync(join(folder, 'recordings'));
    assert.ok(left().includes(join(folder, 'recordings')));
  });
});
