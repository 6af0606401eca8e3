import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { errorText } from '../../api/errors.ts';
import { isId } from '../../api/ids.ts';
import type { Clock, DownloadFiles, DownloadNote, LeftDownload, Log, PartFile } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { isRecord } from '../../util/isRecord.ts';
import { parseJson } from '../../util/parseJson.ts';
import { isProcessRunning, NOTE_ENDING } from './partialFiles.ts';

interface DownloadFilesOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

interface Noted {
  readonly id: string;
  readonly pid: number;
  readonly run: string;
  readonly target: string;
  readonly note: DownloadNote;
  /** Its window closed and removed the .part file. */
  readonly isEnded: boolean;
}

const ID = /^[0-9a-f]{16}$/;
// A note that is incomplete may still be on its way to the disk for this long.
const TORN_MS = 60_000;
// Another process may have got the pid of a killed one: a file that has not grown for this long is left over.
const LONGEST_PAUSE_MS = 3_600_000;

// Returns an unfinished download's path. Our files are known by this name, which no other file has, and their note.
function partPath(target: string, id: string): string {
  return `${target}.${id}.part`;
}

// Notes on running downloads, one small file each, to find the .part files of a process that was killed.
class DownloadNotes {
  readonly #options: DownloadFilesOptions;
  // Distinguishes this extension host from an earlier one with the same pid.
  readonly #run = randomUUID();
  readonly #written = new Map<string, string>();

  constructor(options: DownloadFilesOptions) {
    this.#options = options;
  }

  /** Never rejects: a download goes on without its note. */
  async write(id: string, target: string, note: DownloadNote): Promise<void> {
    const { folder, log } = this.#options;
    const text = JSON.stringify({ pid: process.pid, run: this.#run, target, note });
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(this.#fileOf(id), text, { flag: 'wx' });
      this.#written.set(id, text);
    } catch (error) {
      log.warn(`A download could not be noted: ${errorText(error)}`);
    }
  }

  async remove(id: string): Promise<void> {
    this.#written.delete(id);
    await rm(this.#fileOf(id), { force: true }).catch(() => {});
  }

  /** For a closing window, so synchronous: the next start reports the interruption. The .part file is already gone. */
  keepAsEnded(id: string): void {
    const text = this.#written.get(id);
    if (text === undefined) return;
    try {
      writeFileSync(this.#fileOf(id), JSON.stringify({ ...JSON.parse(text), isEnded: true }));
    } catch (error) {
      this.#options.log.warn(`A download that was cut off could not be noted: ${errorText(error)}`);
    }
  }

  async clearLeft(): Promise<readonly LeftDownload[]> {
    const { folder, log } = this.#options;
    const names = await readdir(folder).catch(() => []);
    const left: LeftDownload[] = [];
    for (const name of names.filter((each) => each.endsWith(NOTE_ENDING))) {
      const found = await this.#clear(name).catch((error: unknown) => {
        // Another window that starts was faster.
        if (!isMissing(error)) log.warn(`What a download left could not be removed: ${errorText(error)}`);
      });
      if (found) left.push(found);
    }
    return left;
  }

  // undefined if there is nothing to report: the download is running or finished, or another window was faster.
  async #clear(name: string): Promise<LeftDownload | undefined> {
    const path = join(this.#options.folder, name);
    const noted = decodeNoted(name, await readFile(path, 'utf8'));
    if (noted?.isEnded === true) {
      return (await unlinkIfThere(path)) ? { target: noted.target, note: noted.note } : undefined;
    }
    const isDone = noted === undefined ? await this.#isOlder(path, TORN_MS) : await this.#isLeft(noted);
    if (!isDone) return undefined;
    const wasThere = noted !== undefined && (await unlinkIfThere(partPath(noted.target, noted.id)));
    // The disk may be disconnected: check again next time.
    if (noted !== undefined && !wasThere && !(await succeeds(stat(dirname(noted.target))))) return undefined;
    await rm(path, { force: true });
    if (!wasThere) return undefined;
    this.#options.log.info('Removed what a download left that ended with its process');
    return { target: noted.target, note: noted.note };
  }

  async #isLeft({ id, pid, run, target }: Noted): Promise<boolean> {
    if (pid === process.pid) return run !== this.#run;
    return !isProcessRunning(pid) || (await this.#isOlder(partPath(target, id), LONGEST_PAUSE_MS));
  }

  async #isOlder(path: string, ms: number): Promise<boolean> {
    const found = await stat(path).catch(() => undefined);
    return found !== undefined && this.#options.clock.now() - found.mtimeMs > ms;
  }

  #fileOf(id: string): string {
    return join(this.#options.folder, id + NOTE_ENDING);
  }
}

// False if it did not exist: another window was faster, or the .part file has its final name.
async function unlinkIfThere(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function decodeNoted(file: string, text: string): Noted | undefined {
  const id = file.slice(0, -NOTE_ENDING.length);
  const value = parseJson(text);
  if (!ID.test(id) || !isRecord(value)) return undefined;
  const { pid, run, target } = value;
  const note = decodeNote(value.note);
  const isWhole = typeof pid === 'number' && typeof run === 'string' && typeof target === 'string';
  if (!isWhole || !isAbsolute(target) || note === undefined) return undefined;
  return { id, pid, run, target, note, isEnded: value.isEnded === true };
}

function decodeNote(value: unknown): DownloadNote | undefined {
  if (!isRecord(value) || !isRecord(value.connection)) return undefined;
  const { sessionId, streamId, clipId } = value;
  const { id, name } = value.connection;
  if (!isId(sessionId) || !isId(id) || typeof name !== 'string') return undefined;
  const stream = isId(streamId) ? { streamId } : {};
  const clip = isId(clipId) ? { clipId } : {};
  return { connection: { id, name }, sessionId, ...stream, ...clip };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function succeeds(act: Promise<unknown>): Promise<boolean> {
  return act.then(
    () => true,
    () => false,
  );
}

const GATHERED_BYTES = 1024 * 1024;

// A .part file of ours. `id` identifies the file even if another one takes its name.
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

interface LocalDownloadFiles extends DownloadFiles, Disposable {
  /** Removes the files of killed processes. Returns the interrupted downloads. Never rejects. */
  clearLeft(): Promise<readonly LeftDownload[]>;
}

/** The files of this machine. Disposing removes unfinished files synchronously: a closing window does not wait. */
export function createDownloadFiles(options: DownloadFilesOptions): LocalDownloadFiles {
  const notes = new DownloadNotes(options);
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
      const isGone = !(await isOurs(part)) || (await succeeds(rm(path, { force: true })));
      await end(isGone);
    },
  };
}

// A file that only its owner could read stays like that.
async function takeModeOf(target: string, handle: FileHandle): Promise<void> {
  const old = await lstat(target).catch(() => undefined);
  if (old?.isFile()) await handle.chmod(old.mode & 0o777).catch(onlyWhereItCan);
}

// Some network drives do not support the operation.
function onlyWhereItCan(error: NodeJS.ErrnoException): void {
  if (!['EINVAL', 'ENOSYS', 'ENOTSUP', 'EPERM'].includes(error.code ?? '')) throw error;
}

async function startPart(target: string, noteId: string): Promise<OpenPart> {
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) throw Object.assign(new Error('The target is a folder'), { code: 'EISDIR' });
  const path = partPath(target, noteId);
  const handle = await open(path, 'wx');
  const { dev, ino } = await handle.stat({ bigint: true });
  return { path, target, handle, id: { dev, ino }, noteId };
}

// Renaming replaces an existing file, linking does not; not every file system supports links.
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
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  return found !== undefined && isSame(found, id);
}

// Removes the file. Returns false if it already has its final name, or could not be removed.
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
  return succeeds(lstat(path));
}

// Some network drives report 0 free bytes, which means unknown.
async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(dirname(path));
    return bavail > 0 ? bavail * bsize : undefined;
  } catch {
    return undefined;
  }
}
