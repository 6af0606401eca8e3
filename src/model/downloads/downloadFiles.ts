import { randomBytes, randomUUID } from 'node:crypto';
import { constants, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
import type { Clock, DownloadFiles, DownloadNote, FileIdentity, LeftDownload, Log, PartFile } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { errorCode } from '../../util/errorCode.ts';
import { isProcessRunning } from '../../util/isProcessRunning.ts';
import { isRecord } from '../../util/isRecord.ts';
import { parseJson } from '../../util/parseJson.ts';
import { KEPT_ENDING, KEPT_MS, NOTE_ENDING } from './partialFiles.ts';

interface DownloadFilesOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

interface Written {
  readonly pid: number;
  readonly run: string;
  readonly target: string;
  readonly note: DownloadNote;
  /** Set if the bytes can be resumed. */
  readonly identity: FileIdentity | undefined;
  /** Whether its window closed. */
  readonly isEnded: boolean;
}

interface Noted extends Written {
  readonly id: string;
}

const ID = /^[0-9a-f]{16}$/;
// For this long, an incomplete note may still be on its way to the disk.
const TORN_MS = 60_000;
// Another process may have the PID of a killed one, so a file that hasn't grown for this long is left over.
const LONGEST_PAUSE_MS = 3_600_000;

// Returns an unfinished download's path. Our files are recognized by this unique name and their note.
function partPath(target: string, id: string): string {
  return `${target}.${id}.part`;
}

// Notes about downloads that run or can be resumed, one small file each. Only these show that a .part file is ours.
class DownloadNotes {
  readonly #options: DownloadFilesOptions;
  // Distinguishes this extension host from an earlier one with the same PID.
  readonly #run = randomUUID();
  readonly #written = new Map<string, Written>();

  constructor(options: DownloadFilesOptions) {
    this.#options = options;
  }

  /** Never rejects: a download continues without its note. */
  async write(id: string, target: string, note: DownloadNote): Promise<void> {
    const { folder, log } = this.#options;
    const written = { pid: process.pid, run: this.#run, target, note, identity: undefined, isEnded: false };
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(this.#fileOf(id), JSON.stringify(written), { flag: 'wx' });
      this.#written.set(id, written);
    } catch (error) {
      log.warn(`Couldn't record a download: ${errorText(error)}`);
    }
  }

  /** Never rejects. */
  async identify(id: string, identity: FileIdentity): Promise<void> {
    const before = this.#written.get(id);
    if (before === undefined) return;
    this.#written.set(id, { ...before, identity: undefined });
    if (!isKnownAgain(identity)) return;
    const whole = this.#fileOf(`${id}.new`);
    const now = { ...before, identity };
    try {
      // Writes it completely or not at all, because an incomplete note's .part file would never be found.
      await writeFile(whole, JSON.stringify(now));
      // Keeps a note that a closing window has written in the meantime.
      if (this.#written.get(id)?.isEnded !== false) return await rm(whole, { force: true });
      renameSync(whole, this.#fileOf(id));
      this.#written.set(id, now);
    } catch (error) {
      this.#options.log.warn(`Couldn't record a download: ${errorText(error)}`);
    }
  }

  isResumable(id: string): boolean {
    return this.#written.get(id)?.identity !== undefined;
  }

  async remove(id: string): Promise<void> {
    this.#written.delete(id);
    await rm(this.#fileOf(id), { force: true }).catch(() => {});
  }

  /** Keeps the note for the next download of the same file, without a report at the next start. */
  async keep(id: string): Promise<void> {
    this.#written.delete(id);
    await rename(this.#fileOf(id), this.#keptFileOf(id));
  }

  /** Synchronous, because the window is closing. The next start reports the interruption. */
  keepAsEnded(id: string): void {
    const written = this.#written.get(id);
    if (written === undefined) return;
    const ended = { ...written, isEnded: true };
    this.#written.set(id, ended);
    const whole = this.#fileOf(`${id}.new`);
    try {
      // On a full disk, the note stays as it is.
      writeFileSync(whole, JSON.stringify(ended));
      renameSync(whole, this.#fileOf(id));
    } catch (error) {
      this.#options.log.warn(`Couldn't record an interrupted download: ${errorText(error)}`);
    }
  }

  /**
   * Claims the .part file of an interrupted download of the same file by renaming it, which only one window can do.
   * Returns the identity of the file it belongs to; undefined if there is none, or if the claim can't be noted, so that
   * the file stays.
   */
  async claim(id: string, target: string, note: DownloadNote): Promise<FileIdentity | undefined> {
    if (!this.#written.has(id)) return undefined;
    for (const name of await this.#list()) {
      const claimed = await this.#claim(name, { id, target, note }).catch((error: unknown) => {
        if (!isMissing(error)) this.#options.log.warn(`A download couldn't be resumed: ${errorText(error)}`);
      });
      if (claimed) return claimed;
    }
    return undefined;
  }

  async #claim(
    name: string,
    { id, target, note }: { readonly id: string; readonly target: string; readonly note: DownloadNote },
  ): Promise<FileIdentity | undefined> {
    const path = join(this.#options.folder, name);
    const left = name.startsWith(id) ? undefined : decodeNoted(name, await readFile(path, 'utf8'));
    if (left?.identity === undefined || left.target !== target || !isSameVideo(left.note, note)) return undefined;
    if (!name.endsWith(KEPT_ENDING) && !(await this.#isLeft(left))) return undefined;
    const [before, now] = [partPath(target, left.id), partPath(target, id)];
    await rename(before, now);
    await this.identify(id, left.identity);
    if (!this.isResumable(id)) return void (await rename(now, before));
    // If this fails, the next start removes it.
    await rm(path, { force: true }).catch(() => {});
    return left.identity;
  }

  async takeLeft(): Promise<readonly LeftDownload[]> {
    const left: LeftDownload[] = [];
    for (const name of await this.#list()) {
      const found = await this.#take(name).catch((error: unknown) => {
        // Another window that is starting was first.
        if (!isMissing(error)) this.#options.log.warn(`Couldn't take over what a download left: ${errorText(error)}`);
      });
      if (found) left.push(found);
    }
    return left;
  }

  // Returns undefined if there is nothing to report: the download is running, finished, or already reported.
  async #take(name: string): Promise<LeftDownload | undefined> {
    const path = join(this.#options.folder, name);
    const isReported = name.endsWith(KEPT_ENDING);
    const noted = decodeNoted(name, await readFile(path, 'utf8'));
    const isDone =
      noted === undefined || isReported
        ? await this.#isOlder(path, isReported ? KEPT_MS : TORN_MS)
        : await this.#isLeft(noted);
    if (!isDone) return undefined;
    if (noted === undefined) return void (await rm(path, { force: true }));
    const { id, target, note } = noted;
    const part = partPath(target, id);
    const found = await lstat(part).catch(() => undefined);
    // The disk may be disconnected: check again next time.
    const isRemoved = noted.isEnded && noted.identity === undefined;
    if (found === undefined && !isRemoved && !(await succeeds(stat(dirname(target))))) return undefined;
    if (found !== undefined && found.size > 0 && noted.identity !== undefined && !isReported) {
      await rename(path, this.#keptFileOf(id));
      return { target, note };
    }
    const wasThere = found !== undefined && (await unlinkIfThere(part));
    if (wasThere) this.#options.log.info('Removed the partial file of a download that ended with its process');
    const isFirst = await unlinkIfThere(path);
    return !isReported && (wasThere || (isRemoved && isFirst)) ? { target, note } : undefined;
  }

  async #list(): Promise<readonly string[]> {
    const names = await readdir(this.#options.folder).catch(() => []);
    return names.filter((name) => name.endsWith(NOTE_ENDING) || name.endsWith(KEPT_ENDING));
  }

  async #isLeft({ id, pid, run, target, isEnded }: Noted): Promise<boolean> {
    if (isEnded) return true;
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

  #keptFileOf(id: string): string {
    return join(this.#options.folder, id + KEPT_ENDING);
  }
}

// Returns false if it didn't exist: another window was faster, or the .part file has its final name.
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
  const id = file.replace(/\.(json|kept)$/, '');
  const value = parseJson(text);
  if (!ID.test(id) || !isRecord(value)) return undefined;
  const { pid, run, target } = value;
  const note = decodeNote(value.note);
  const isWhole = typeof pid === 'number' && typeof run === 'string' && typeof target === 'string';
  if (!isWhole || !isAbsolute(target) || note === undefined) return undefined;
  const identity = decodeIdentity(value.identity);
  return { id, pid, run, target, note, identity, isEnded: value.isEnded === true };
}

function decodeIdentity(value: unknown): FileIdentity | undefined {
  if (!isRecord(value) || typeof value.total !== 'number') return undefined;
  const { etag, lastModified, total } = value;
  const textOf = (field: unknown) => (typeof field === 'string' ? field : undefined);
  return { etag: textOf(etag), lastModified: textOf(lastModified), total };
}

/** Whether a file can be recognized later. A weak ETag doesn't guarantee the same bytes. */
function isKnownAgain({ etag, lastModified, total }: FileIdentity): boolean {
  return total !== undefined && (etag?.startsWith('"') === true || lastModified !== undefined);
}

/** Compares only IDs, because names may have changed. */
function isSameVideo(one: DownloadNote, other: DownloadNote): boolean {
  return one.connection.id === other.connection.id && one.sessionId === other.sessionId && one.clipId === other.clipId;
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
  return errorCode(error) === 'ENOENT';
}

function succeeds(act: Promise<unknown>): Promise<boolean> {
  return act.then(
    () => true,
    () => false,
  );
}

const GATHERED_BYTES = 1024 * 1024;

// One of our .part files. `id` identifies the file even if another one takes its name.
interface OpenPart {
  readonly path: string;
  readonly target: string;
  readonly handle: FileHandle;
  readonly id: FileId;
  readonly noteId: string;
  readonly kept: PartFile['kept'];
  /** Bytes on the disk. */
  written: number;
  /** Whether the window closed and the next download of the same file resumes it. */
  isLeft: boolean;
}

interface FileId {
  readonly dev: bigint;
  readonly ino: bigint;
}

interface LocalDownloadFiles extends DownloadFiles, Disposable {
  /**
   * Returns the downloads whose process ended, once each. Removes their files that can't be resumed or haven't been for
   * a week. Never rejects.
   */
  takeLeft(): Promise<readonly LeftDownload[]>;
}

/**
 * Creates the files on this machine. Disposing keeps unfinished files that can be resumed and removes others. It's
 * synchronous, because a closing window doesn't wait.
 */
export function createDownloadFiles(options: DownloadFilesOptions): LocalDownloadFiles {
  const notes = new DownloadNotes(options);
  const underWay = new Set<OpenPart>();
  let isDisposed = false;

  async function start(target: string, note: DownloadNote): Promise<OpenPart> {
    const found = await stat(target).catch(() => undefined);
    if (found?.isDirectory()) throw Object.assign(new Error('The target is a folder'), { code: 'EISDIR' });
    const noteId = randomBytes(8).toString('hex');
    // The note comes first, so that none of our files is ever without a note.
    await notes.write(noteId, target, note);
    try {
      return await openPart(target, noteId, await notes.claim(noteId, target, note));
    } catch (error) {
      await notes.remove(noteId);
      throw error;
    }
  }

  /** Returns false if it's already complete or can't be removed. Its completion or the next start then cleans up. */
  function cutOff(part: OpenPart): boolean {
    part.isLeft = part.written > 0 && notes.isResumable(part.noteId);
    const isOver = part.isLeft || removeNow(part);
    if (isOver) notes.keepAsEnded(part.noteId);
    return isOver;
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
      return partFile(part, notes, async (isGone) => {
        if (underWay.delete(part) && isGone) await notes.remove(part.noteId);
      });
    },
    takeLeft: () => notes.takeLeft(),
    dispose() {
      isDisposed = true;
      for (const part of underWay) if (cutOff(part)) underWay.delete(part);
    },
  };
}

function closing(): Error {
  return new DOMException('The window closes', 'AbortError');
}

/** @param end receives whether the .part file is gone. Otherwise, a later start removes it */
function partFile(part: OpenPart, notes: DownloadNotes, end: (isGone: boolean) => Promise<void>): PartFile {
  const { handle, target, path, noteId } = part;
  // Copies the bytes at once, because buffers that wait for the disk would pile up as garbage.
  const gathered = Buffer.allocUnsafe(GATHERED_BYTES);
  let size = 0;
  async function flush(): Promise<void> {
    for (let done = 0; done < size; ) {
      const { bytesWritten } = await handle.write(gathered, done, size - done, part.written);
      done += bytesWritten;
      part.written += bytesWritten;
    }
    size = 0;
  }
  async function discard(): Promise<void> {
    await handle.close().catch(() => {});
    if (part.isLeft) return;
    const isGone = !(await isOurs(part)) || (await succeeds(rm(path, { force: true })));
    await end(isGone);
  }
  return {
    kept: part.kept,
    identify: (identity) => notes.identify(noteId, identity),
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
      part.written = 0;
      await handle.truncate(0);
    },
    async finish(mayReplace) {
      await flush();
      // A file may get its final name only once it's on the disk. Some systems report a full disk only now.
      await handle.sync().catch(onlyWhereItCan);
      if (mayReplace) await takeModeOf(target, handle);
      await handle.close();
      if (!(await isOurs(part))) throw new Error('Another file took its place');
      if (mayReplace) await rename(path, target);
      else await moveTo(path, target);
      await end(true);
    },
    async leave() {
      if (part.isLeft || !notes.isResumable(noteId)) return discard();
      // A full disk has stored only part of it.
      await flush().catch(() => {});
      if (part.isLeft || part.written === 0) return discard();
      await handle.close().catch(() => {});
      const isKept = await succeeds(notes.keep(noteId));
      if (!isKept) return discard();
      await end(false);
    },
    discard,
  };
}

// A file that only its owner could read keeps that mode.
async function takeModeOf(target: string, handle: FileHandle): Promise<void> {
  const old = await lstat(target).catch(() => undefined);
  if (old?.isFile()) await handle.chmod(old.mode & 0o777).catch(onlyWhereItCan);
}

// Some network drives don't support the operation.
function onlyWhereItCan(error: unknown): void {
  if (!['EINVAL', 'ENOSYS', 'ENOTSUP', 'EPERM'].includes(errorCode(error))) throw error;
}

/** @param identity the identity of the file whose bytes it already has */
async function openPart(target: string, noteId: string, identity: FileIdentity | undefined): Promise<OpenPart> {
  const path = partPath(target, noteId);
  // Doesn't follow a symbolic link that has replaced our file.
  const handle = await open(path, identity === undefined ? 'wx' : constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  const { dev, ino, size } = await handle.stat({ bigint: true });
  // The last byte is requested again, so that the response shows whether this is still the same file.
  const written = Math.max(0, Math.min(Number(size), (identity?.total ?? 0) - 1));
  if (written < Number(size)) await handle.truncate(written);
  const kept = identity === undefined || written === 0 ? undefined : { received: written, identity };
  return { path, target, handle, id: { dev, ino }, noteId, kept, written, isLeft: false };
}

// Renaming replaces an existing file, but linking doesn't. Not every file system supports links.
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

// Removes the file. Returns false if it already has its final name or can't be removed.
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
