import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../util/errorCode.ts';
import { handlerOf } from './localUrl.ts';

export interface ListenLock {
  /** Resolves when another window can take it. */
  release(): Promise<void>;
}

/**
 * Takes the lock for a URL among this user's windows on this computer. Returns undefined if another window has it.
 * The lock is a socket that one process at a time can listen on, so it's free as soon as its process has ended,
 * regardless of how. Rejects if the system refuses such sockets.
 */
export async function takeListenLock(url: string, folder = tmpdir()): Promise<ListenLock | undefined> {
  const path = pathOf(url, folder);
  const taken = await listen(path);
  if (taken !== undefined) return taken;
  if (await isAlive(path)) return undefined;
  // Left by a process that was killed. Named pipes on Windows disappear with their process.
  await unlink(path).catch(ignoreMissing);
  return listen(path);
}

async function listen(path: string): Promise<ListenLock | undefined> {
  const server = createServer((socket) => socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
  // Must not keep a process alive.
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    const end = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true));
    socket.once('error', (error) => end(!['ECONNREFUSED', 'ENOENT'].includes(errorCode(error))));
  });
}

function pathOf(url: string, folder: string): string {
  const { uid, username } = userInfo();
  const user = uid === -1 ? username : String(uid);
  const name = `live-streams-${createHash('sha256')
    .update(`${user} ${handlerOf(url)}`)
    .digest('hex')
    .slice(0, 20)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(folder, `${name}.sock`);
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}
