import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DownloadFiles, DownloadNote, LeftDownload, PartFile } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { createDownloadNotes, type DownloadNotesOptions, partPath } from './downloadNotes.ts';

const GATHERED_BYTES = 1024 * 1024;

/** A .part file of ours. `id` identifies the file even if another one takes its name. */
interface OpenPart {
  readonly path: string;
  readonly target: string;
  readonly handle: FileHandle;
  readonly id: FileId;
  readonly noteId: string;
}

interface FileId {
  readonly dev: bigint;
  readonly ino: bigint;
}

export interface LocalDownloadFiles extends DownloadFiles, Disposable {
  /**
   * Removes the files of processes that were killed. Returns the downloads that were interrupted, by that or by a
   * closing window. Never rejects.
   */
  clearLeft(): Promise<readonly LeftDownload[]>;
}

/** The files of this machine. Disposing removes unfinished files synchronously: a closing window does not wait. */
export function createDownloadFiles(options: DownloadNotesOptions): LocalDownloadFiles {
  const notes = createDownloadNotes(options);
  const underWay = new Set<OpenPart>();
  let isDisposed = false;

  async function start(target: string, note: DownloadNote): Promise<OpenPart> {
    const noteId = randomBytes(8).toString('hex');
    // The note comes first, so that there is never a file of ours without a note.
    await notes.write(noteId, target, note);
    try {
      return await startPart(target, noteId);
    } catch (error) {
      await notes.remove(noteId);
      throw error;
    }
  }

  /** False if it was complete by then, or could not be removed: then its completion or the next start cleans up. */
  function cutOff(part: OpenPart): boolean {
    const isRemoved = removeNow(part);
    if (isRemoved) notes.keepAsEnded(part.noteId);
    return isRemoved;
  }

  return {
    exists,
    freeBytes,
    async startPart(target, note) {
      if (isDisposed) throw closing();
      const part = await start(target, note);
      if (isDisposed) {
        cutOff(part);
        await part.handle.close();
        throw closing();
      }
      underWay.add(part);
      return partFile(part, async (isGone) => {
        if (underWay.delete(part) && isGone) await notes.remove(part.noteId);
      });
    },
    clearLeft: () => notes.clearLeft(),
    dispose() {
      isDisposed = true;
      for (const part of underWay) if (cutOff(part)) underWay.delete(part);
    },
  };
}

function closing(): Error {
  return new DOMException('The window closes', 'AbortError');
}

/** @param end receives whether nothing is left of the file; otherwise the next start removes it */
function partFile(part: OpenPart, end: (isGone: boolean) => Promise<void>): PartFile {
  const { handle, target, path } = part;
  // Copies the bytes at once: buffers that wait for the disk live long enough to pile up as garbage.
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
      // Only a file that is on the disk may get its final name. Some systems report a full disk only now.
      await handle.sync().catch(onlyWhereItCan);
      if (mayReplace) await takeModeOf(target, handle);
      await handle.close();
      if (!(await isOurs(part))) throw new Error('Another file took its place');
      if (mayReplace) await rename(path, target);
      else await moveTo(path, target);
      await end(true);
    },
    async discard() {
      await handle.close().catch(() => {});
      const isGone = !(await isOurs(part)) || (await removed(path));
      await end(isGone);
    },
  };
}

/** A file that only its owner could read stays like that. */
async function takeModeOf(target: string, handle: FileHandle): Promise<void> {
  const old = await lstat(target).catch(() => undefined);
  if (old?.isFile()) await handle.chmod(old.mode & 0o777).catch(onlyWhereItCan);
}

/** Some network drives do not support the operation. */
function onlyWhereItCan(error: NodeJS.ErrnoException): void {
  if (!['EINVAL', 'ENOSYS', 'ENOTSUP', 'EPERM'].includes(error.code ?? '')) throw error;
}

async function startPart(target: string, noteId: string): Promise<OpenPart> {
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) throw Object.assign(new Error('The target is a folder'), { code: 'EISDIR' });
  const path = partPath(target, noteId);
  const handle = await open(path, 'wx');
  const { dev, ino } = await handle.stat({ bigint: true });
  return { path, target, handle, id: { dev, ino }, noteId };
}

/** Renaming replaces an existing file, linking does not; not every file system supports links. */
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

function removed(path: string): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  );
}

/** Removes the file. Returns false if it already has its final name, or could not be removed. */
function removeNow({ path, id }: OpenPart): boolean {
  try {
    const found = statSync(path, { bigint: true });
    if (!isSame(found, id)) return false;
    rmSync(path);
    return found.nlink === 1n;
  } catch {
    return false;
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

/** Some network drives report 0 free bytes, which means unknown. */
async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(dirname(path));
    return bavail > 0 ? bavail * bsize : undefined;
  } catch {
    return undefined;
  }
}
