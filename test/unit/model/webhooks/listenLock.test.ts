import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { takeListenLock } from '../../../../src/model/webhooks/listenLock.ts';
import { inProject } from '../../../support/projectFolder.ts';

describe('The lock of a local URL', () => {
  const children: ChildProcess[] = [];
  // Other runs on this computer have locks of their own.
  const url = (path: string) => `http://localhost:3000/${process.pid}/${path}`;

  after(async () => {
    for (const child of children) await kill(child);
    // Removes what the killed processes left.
    await (await takeListenLock(url('a')))?.release();
  });

  async function hold(held: string): Promise<{ readonly child: ChildProcess; readonly said: string }> {
    const child = spawn(process.execPath, [inProject('test/support/process/listenLockHolder.ts'), held], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [said] = await once(child.stdout, 'data');
    return { child, said: String(said).trim() };
  }

  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  it('is of one process at a time, and free once that process is killed', async () => {
    const { child, said } = await hold(url('a'));
    assert.equal(said, 'taken');
    assert.equal(await takeListenLock(url('a')), undefined);
    assert.equal(await takeListenLock(url('a').replace('localhost', '127.0.0.1')), undefined, 'by another name');
    await kill(child);
    const lock = await takeListenLock(url('a'));
    assert.ok(lock);
    assert.equal((await hold(url('a'))).said, 'in use', 'to another process');
    await lock.release();
    assert.equal((await hold(url('a'))).said, 'taken', 'once it is released');
  });

  it('is another one for another URL', async () => {
    const locks = [await takeListenLock(url('b')), await takeListenLock(url('c'))];
    for (const lock of locks) {
      assert.ok(lock);
      await lock.release();
    }
  });

  it('is held in the same process as well', async () => {
    const lock = await takeListenLock(url('d'));
    assert.equal(await takeListenLock(url('d')), undefined);
    await lock?.release();
    const again = await takeListenLock(url('d'));
    assert.ok(again);
    await again.release();
  });

  it('is refused with the reason of the system where there can be no socket', async () => {
    await assert.rejects(takeListenLock(url('e'), join('/nowhere', 'at', 'all')));
  });
});
