import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DownloadFiles, DownloadNote, LeftDownload, PartFile } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { createDownloadNotes, type DownloadNotesOptions, partPath } from './downloadNotes.ts';

/** Written to the disk at a time. */
const GATHERED_BYTES = 1024 * 1024;

/** A .part file of ours: which file it is, whatever may have taken its name meanwhile. */
interface OpenPart {
  readonly path: string;
  readonly target: string;
  readonly handle: FileHandle;
  readonly id: FileId;
  /** Of its note. */
  readonly noteId: string;
}

interface FileId {
  readonly dev: bigint;
  readonly ino: bigint;
}

export interface LocalDownloadFiles extends DownloadFiles, Disposable {
  /** Removes what processes left that were killed, and says what was cut off, by them or by windows that closed. Never rejects. */
  clearLeft(): Promise<readonly LeftDownload[]>;
}

/** The files of this machine. What is under way when it is disposed of is removed at once: a window that closes does not wait. */
export function createDownloadFiles(options: DownloadNotesOptions): LocalDownloadFiles {
  const notes = createDownloadNotes(options);
  const underWay = new Set<OpenPart>();
  let isDisposed = false;

  async function start(target: string, note: DownloadNote): Promise<OpenPart> {
    const noteId = randomBytes(8).toString('hex');
    // First, so that there never is a file of ours without a note.
    await notes.write(noteId, target, note);
    try {
      return await startPart(target, noteId);
    } catch (error) {
      await notes.remove(noteId);
      throw error;
    }
  }

  /** False where it was whole by then, or could not be removed: then its own end, or the next start, cleans up. */
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

/** @param end is told whether nothing of it is left; else the next start removes it */
function partFile(part: OpenPart, end: (isGone: boolean) => Promise<void>): PartFile {
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

/** What only its owner could read stays so. */
async function takeModeOf(target: string, handle: FileHandle): Promise<void> {
  const old = await lstat(target).catch(() => undefined);
  if (old?.isFile()) await handle.chmod(old.mode & 0o777).catch(onlyWhereItCan);
}

/** Some network drives know no such thing. */
function onlyWhereItCan(error: NodeJS.ErrnoException): void {
  if (!['EINVAL', 'ENOSYS', 'ENOTSUP', 'EPERM'].includes(error.code ?? '')) throw error;
}

/** Never touches a file that is there. */
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

function removed(path: string): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  );
}

/** Was it cut off so? False where it has its final name already, and where it could not be removed. */
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

/** Some network drives say that there is no room at all: they do not know. */
async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(dirname(path));
    return bavail > 0 ? bavail * bsize : undefined;
  } catch {
    return undefined;
  }
}
