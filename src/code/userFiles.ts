import { randomBytes } from 'node:crypto';
import {
  access,
  constants,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import nodePath, { basename, dirname, join, relative } from 'node:path';
import { errorCode } from '../util/errorCode.ts';
import { isProcessRunning } from '../util/isProcessRunning.ts';

/**
 * `changed`: another program changed the file in the meantime. `uncertain`: writing failed, and so did restoring the
 * old content or confirming that the new one is on disk. For all other reasons, the file is unchanged.
 */
export type UserFileProblem =
  | 'outside'
  | 'danglingLink'
  | 'unknownLink'
  | 'folder'
  | 'notRegular'
  | 'tooLarge'
  | 'notUtf8'
  | 'unsaved'
  | 'unreadable'
  | 'unwritable'
  | 'changed'
  | 'uncertain';

export class UserFileError extends Error {
  readonly problem: UserFileProblem;

  constructor(problem: UserFileProblem, cause?: unknown) {
    super(`A file of the user: ${[problem, errorCode(cause)].join(' ').trim()}`, { cause });
    this.name = 'UserFileError';
    this.problem = problem;
  }
}

/** undefined if there's no such file. */
type Content = Uint8Array | undefined;

/** New content for a file, ready to replace it. */
export interface Replacement {
  /** Replaces the file. If it throws a UserFileError, `problem` describes the state of the file. */
  commit(): Promise<void>;
  /** Removes the prepared content. Must be called in any case. Never rejects. */
  dispose(): Promise<void>;
}

interface ReadOptions {
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the content of a regular file, or 'tooLarge'. Reads no more than `limit` + 1 bytes, regardless of the size
 * that the file claims to have: files in /proc claim 0 and may never end. Throws a UserFileError, an AbortError of the
 * signal, and the errors of the file system.
 */
export async function readUserFile(path: string, { limit, signal }: ReadOptions): Promise<Uint8Array | 'tooLarge'> {
  const handle = await openRegularFile(path);
  if (handle === undefined) throw new UserFileError('notRegular');
  try {
    const { size } = await handle.stat();
    return size > limit ? 'tooLarge' : await readUpTo(handle, { size, limit, signal });
  } finally {
    await handle.close();
  }
}

/** Windows has neither flag. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a file for reading. Returns undefined if it isn't a regular file: reading a FIFO waits for its other end, and
 * opening a device may act on it. Throws the errors of the file system.
 */
async function openRegularFile(path: string): Promise<FileHandle | undefined> {
  if (!(await stat(path)).isFile()) return undefined;
  // Another file may have replaced it in the meantime.
  const handle = await open(path, WITHOUT_WAITING);
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

const BYTES_PER_READ = 512 * 1024;

async function readUpTo(
  handle: FileHandle,
  { size, limit, signal }: ReadOptions & { readonly size: number },
): Promise<Uint8Array | 'tooLarge'> {
  let bytes = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(bytes, length, Math.min(bytes.length - length, BYTES_PER_READ), length);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
    if (length > limit) return 'tooLarge';
    if (length === bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(2 * length + BYTES_PER_READ, limit + 1));
      bytes.copy(larger);
      bytes = larger;
    }
  }
}

/**
 * Returns the path of a file, which may be missing, with links followed except for those above the folder. Throws a
 * UserFileError if the file isn't in the folder, or is a dangling link, because writing would create a file elsewhere.
 */
async function findPathInFolder(path: string, folder: string): Promise<string> {
  try {
    const [real, realFolder] = [await findRealPath(path), await realpath(folder)];
    if (!isInFolder(real, realFolder)) throw new UserFileError('outside');
    // VS Code and Git know the folder by this path.
    return join(folder, relative(realFolder, real));
  } catch (error) {
    throw error instanceof UserFileError ? error : new UserFileError('unreadable', error);
  }
}

async function findRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (await isThere(path)) throw new UserFileError('danglingLink', error);
    return join(await realpath(dirname(path)), basename(path));
  }
}

/** Reading some of these files waits, never ends, or changes the state of a device. */
const KERNEL_FILES = /^\/(?:proc|sys)\//;

/**
 * Reads a file that a search has found in a folder. Returns undefined if it isn't part of the folder or can't be read:
 * links that lead out of it or in circles, FIFOs, devices. Throws an AbortError of the signal.
 */
export async function readFoundFile(
  found: string,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<Uint8Array | 'tooLarge' | undefined> {
  try {
    const path = await findPathInFolder(found, folder);
    if (KERNEL_FILES.test(path)) return undefined;
    return await readUserFile(path, { limit: MOST_TEXT_BYTES, signal });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

export interface LocalTextFile {
  /** With symbolic links below the folder resolved. */
  readonly path: string;
  readonly isLink: boolean;
  /** undefined if it doesn't exist. Throws a UserFileError, as the others do. */
  read(): Promise<Content>;
  prepare(before: Content, after: Uint8Array): Promise<Replacement>;
  /** Removes it if it has the content. */
  remove(content: Uint8Array): Promise<void>;
}

/** Throws a UserFileError unless the file is in the folder, with links followed. */
export async function openLocalTextFile(shownPath: string, folder: string): Promise<LocalTextFile> {
  const path = await findPathInFolder(shownPath, folder);
  return {
    path,
    isLink: path !== shownPath,
    read: () => readTextFile(path),
    prepare: (before, after) => prepareReplacement(path, before, after),
    remove: (content) => removeUserFile(path, content),
  };
}

/** The largest text file that is read or written. */
export const MOST_TEXT_BYTES = 5 * 1024 * 1024;

async function readTextFile(path: string): Promise<Content> {
  try {
    const found = await lstat(path);
    if (found.isDirectory()) throw new UserFileError('folder');
    const content = await readUserFile(path, { limit: MOST_TEXT_BYTES });
    if (content === 'tooLarge') throw new UserFileError(content);
    return content;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error instanceof UserFileError ? error : new UserFileError('unreadable', error);
  }
}

/** Whether a path is in a folder, or is the folder itself. Both are absolute and without links. */
export function isInFolder(
  path: string,
  folder: string,
  paths: Pick<typeof nodePath, 'relative' | 'isAbsolute' | 'sep'> = nodePath,
): boolean {
  const way = paths.relative(folder, path);
  return way.split(paths.sep)[0] !== '..' && !paths.isAbsolute(way);
}

/** Holds the new content next to the file. Its `.gitignore` keeps Git from adding it if this process is killed. */
const FOLDER = /^\.live-streams-(\d+)-[0-9a-f]{16}$/;
const FOLDER_FILES = ['new', '.gitignore'];
/** Another process, on this or another machine, may have the PID of a killed one. */
const LEFT_AFTER_MS = 3_600_000;
const ONLY_OWNER = 0o600;

/**
 * Writes the new content of a file to disk next to it. Committing renames it, so that the file is always either the old
 * or the new one. Permissions and owner stay the same. `path` has no links. Throws a UserFileError.
 */
async function prepareReplacement(path: string, before: Content, after: Uint8Array): Promise<Replacement> {
  const { commit, dispose } = await writeBeside(path, after, { isThere: before !== undefined });
  return {
    async commit() {
      await requireContent(path, before);
      await commit();
    },
    dispose,
  };
}

/** Like prepareReplacement, but committing replaces any file that's there by then. */
async function writeBeside(
  path: string,
  bytes: Uint8Array,
  { isThere: isReplaced }: { readonly isThere: boolean },
): Promise<Replacement> {
  const folder = join(dirname(path), `.live-streams-${process.pid}-${randomBytes(8).toString('hex')}`);
  const file = join(folder, 'new');
  const dispose = () => removeFolder(folder);
  await removeLeftFolders(dirname(path));
  try {
    if (isReplaced) await access(path, constants.W_OK);
    await mkdir(folder, { mode: 0o700 });
    await writeNewFile(join(folder, '.gitignore'), Buffer.from('*\n'), undefined);
    await writeNewFile(file, bytes, isReplaced ? path : undefined);
  } catch (error) {
    await dispose();
    throw new UserFileError('unwritable', error);
  }
  return {
    async commit() {
      await renameOver(file, path).catch((error: unknown) => {
        throw new UserFileError('unwritable', error);
      });
      await syncFolder(dirname(path)).catch((error: unknown) => {
        throw new UserFileError('uncertain', error);
      });
    },
    dispose,
  };
}

/**
 * Writes a file that the user chose. Replaces an existing file either completely or not at all. Follows links. Throws a
 * UserFileError; unless it's `uncertain`, the file is unchanged.
 */
export async function writeChosenFile(chosenPath: string, bytes: Uint8Array): Promise<void> {
  const path = await findRealPath(chosenPath).catch((error: unknown) => {
    throw error instanceof UserFileError ? error : new UserFileError('unwritable', error);
  });
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new UserFileError('folder');
  if (found?.isFile() === false) throw new UserFileError('notRegular');
  const replacement = await writeBeside(path, bytes, { isThere: found !== undefined });
  try {
    await replacement.commit();
  } finally {
    await replacement.dispose();
  }
}

/** A file that can only be overwritten: VS Code's file systems can't replace a file by renaming in one step. */
interface OverwrittenFile {
  read(): Promise<Content>;
  write(bytes: Uint8Array): Promise<void>;
  remove(): Promise<void>;
}

/** Committing overwrites the file, reads it back, and restores the old content if it differs. */
export function prepareOverwrite(file: OverwrittenFile, before: Content, after: Content): Replacement {
  return {
    async commit() {
      const found = await file.read().catch((error: unknown) => {
        throw new UserFileError('unreadable', error);
      });
      if (!isSame(found, before)) throw new UserFileError('changed');
      const written = await overwrite(file, after);
      if (written.isDone) return;
      const restored = await overwrite(file, before);
      throw new UserFileError(restored.isDone ? 'unwritable' : 'uncertain', written.cause);
    },
    async dispose() {},
  };
}

async function overwrite(
  file: OverwrittenFile,
  content: Content,
): Promise<{ readonly isDone: boolean; readonly cause?: unknown }> {
  let cause: unknown;
  try {
    await (content === undefined ? file.remove() : file.write(content));
  } catch (error) {
    // It may have changed the file anyway.
    cause = error;
  }
  try {
    return { isDone: isSame(await file.read(), content), cause };
  } catch (error) {
    return { isDone: false, cause: cause ?? error };
  }
}

function isSame(one: Content, other: Content): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Buffer.compare(one, other) === 0;
}

/** Removes a file only if it has the content. Throws a UserFileError. */
async function removeUserFile(path: string, content: Uint8Array): Promise<void> {
  await requireContent(path, content);
  await rm(path).catch((error: unknown) => {
    throw new UserFileError('unwritable', error);
  });
}

/** @param like the file to copy permissions and owner from */
async function writeNewFile(path: string, bytes: Uint8Array, like: string | undefined): Promise<void> {
  const handle = await open(path, 'wx', like === undefined ? 0o666 : ONLY_OWNER);
  try {
    await handle.writeFile(bytes);
    if (like !== undefined) await copyRights(like, handle);
    await handle.sync().catch(allowUnsupported);
  } finally {
    await handle.close();
  }
}

async function copyRights(from: string, to: FileHandle): Promise<void> {
  const [old, own] = [await lstat(from), await to.stat()];
  if (old.uid !== own.uid || old.gid !== own.gid) await to.chown(old.uid, old.gid);
  await to.chmod(old.mode & 0o7777).catch(allowUnsupported);
}

async function requireContent(path: string, expected: Content): Promise<void> {
  const isSame = await hasContent(path, expected).catch((error: unknown) => {
    throw new UserFileError('unreadable', error);
  });
  if (!isSame) throw new UserFileError('changed');
}

async function hasContent(path: string, expected: Content): Promise<boolean> {
  if (expected === undefined) return !(await isThere(path));
  const found = await readUserFile(path, { limit: expected.length });
  return found !== 'tooLarge' && isSame(found, expected);
}

const RETRY_FOR_MS = 2000;
const RETRY_EVERY_MS = 50;

interface RenameOptions {
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly platform: NodeJS.Platform;
}

/** Retries: Windows can't replace a file while another program, such as a virus scanner or indexer, has it open. */
export async function renameOver(
  from: string,
  to: string,
  { rename: renameFile, platform }: RenameOptions = { rename, platform: process.platform },
): Promise<void> {
  const end = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await renameFile(from, to);
    } catch (error) {
      const mayEnd = platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error));
      if (!mayEnd || performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS));
  }
}

/** After a power failure, a folder that wasn't synced may have the old entry. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(allowUnsupported);
  try {
    await handle?.sync().catch(allowUnsupported);
  } finally {
    await handle?.close();
  }
}

/** Windows can't open folders, and some network drives can't sync or have no permissions. */
function allowUnsupported(error: unknown): undefined {
  if (!['EINVAL', 'ENOSYS', 'ENOTSUP', 'EPERM', 'EISDIR', 'EACCES'].includes(errorCode(error))) throw error;
  return undefined;
}

async function removeLeftFolders(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined) continue;
    const folder = join(parent, name);
    const found = await lstat(folder).catch(() => undefined);
    const isLeft = !isProcessRunning(Number(pid)) || Date.now() - (found?.mtimeMs ?? 0) > LEFT_AFTER_MS;
    if (found?.isDirectory() && isLeft) await removeFolder(folder);
  }
}

/** Removes only our own files. Anything that can't be removed is left for the next time. */
async function removeFolder(folder: string): Promise<void> {
  for (const name of FOLDER_FILES) await rm(join(folder, name), { force: true }).catch(() => undefined);
  await rmdir(folder).catch(() => undefined);
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error));
}
