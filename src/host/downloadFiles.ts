import { rmSync, statSync } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DownloadFiles, PartFile } from '../services.ts';
import type { Disposable } from '../util/disposable.ts';

/** Written to the disk at a time. */
const GATHERED_BYTES = 1024 * 1024;

/** A .part file of ours: which file it is, whatever may have taken its name meanwhile. */
interface OpenPart {
  readonly path: string;
  readonly target: string;
  readonly handle: FileHandle;
  readonly id: FileId;
}

interface FileId {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** The files of this machine. What is under way when it is disposed of is removed at once: a window that closes does not wait. */
export function createDownloadFiles(): DownloadFiles & Disposable {
  const underWay = new Set<OpenPart>();
  return {
    exists,
    freeBytes,
    async startPart(target) {
      const part = await startPart(target);
      underWay.add(part);
      return partFile(part, () => underWay.delete(part));
    },
    dispose() {
      for (const part of underWay) removeNow(part);
    },
  };
}

function partFile(part: OpenPart, forget: () => void): PartFile {
  const { handle, target, path } = part;
  // Bytes are copied here at once: those that wait for the disk live long enough to pile up as garbage.
  const gathered = Buffer.allocUnsafe(GATHERED_BYTES);
  let size = 0;
  let written = 0;
  async function flush(): Promise<void> {
    for (let done = 0; done < size; ) {
      const { bytesWritten } = await handle.write(gathered, done, size - done, written);
      done += bytesWritten;
      written += bytesWritten;
    }
    size = 0;
  }
  return {
    async append(bytes) {
      for (let done = 0; done < bytes.byteLength; ) {
        const piece = bytes.subarray(done, done + GATHERED_BYTES - size);
        gathered.set(piece, size);
        size += piece.byteLength;
        done += piece.byteLength;
        if (size === GATHERED_BYTES) await flush();
      }
    },
    async clear() {
      size = 0;
      written = 0;
      await handle.truncate(0);
    },
    async finish(mayReplace) {
      await flush();
      // Only what is on the disk may have the final name; and some systems say only now that it is full.
      await handle.sync().catch(onlyWhereItCan);
      await handle.close();
      if (!(await isOurs(part))) throw new Error('Another download took its place');
      if (mayReplace) await rename(path, target);
      else await moveTo(path, target);
      forget();
    },
    async discard() {
      await handle.close().catch(() => {});
      if (await isOurs(part)) await rm(path, { force: true }).catch(() => {});
      forget();
    },
  };
}

/** Some network drives know no such thing. */
function onlyWhereItCan(error: NodeJS.ErrnoException): void {
  if (!['EINVAL', 'ENOSYS', 'ENOTSUP'].includes(error.code ?? '')) throw error;
}

/** What an earlier download left behind goes. One that another window is writing loses its name, not its bytes: see `isOurs`. */
async function startPart(target: string): Promise<OpenPart> {
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) throw Object.assign(new Error('The target is a folder'), { code: 'EISDIR' });
  const path = `${target}.part`;
  await rm(path, { force: true });
  const handle = await open(path, 'wx');
  const { dev, ino } = await handle.stat({ bigint: true });
  return { path, target, handle, id: { dev, ino } };
}

/** Renaming replaces what is there, linking does not; not every file system can link. */
async function moveTo(path: string, target: string): Promise<void> {
  try {
    await link(path, target);
  } catch (error) {
    if (await exists(target))
      throw Object.assign(new Error('There is such a file', { cause: error }), { code: 'EEXIST' });
    return rename(path, target);
  }
  await rm(path, { force: true });
}

async function isOurs({ path, id }: OpenPart): Promise<boolean> {
  return lstat(path, { bigint: true }).then(
    (found) => isSame(found, id),
    () => false,
  );
}

function removeNow({ path, id }: OpenPart): void {
  try {
    if (isSame(statSync(path, { bigint: true }), id)) rmSync(path, { force: true });
  } catch {
    // It is gone already, or cannot be removed: the next download of this target does it.
  }
}

function isSame(found: FileId, id: FileId): boolean {
  return found.dev === id.dev && found.ino === id.ino;
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Some network drives say that there is no room at all: they do not know. */
async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(dirname(path));
    return bavail > 0 ? bavail * bsize : undefined;
  } catch {
    return undefined;
  }
}
