import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { errorText } from '../../api/errorText.ts';
import { isId } from '../../api/ids.ts';
import type { Clock, DownloadNote, LeftDownload, Log } from '../../services.ts';
import { isRecord } from '../../util/isRecord.ts';
import { isRunning, NOTE_ENDING } from './partialFiles.ts';

export interface DownloadNotesOptions {
  /** An absolute path in the extension's own storage. Need not exist. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Notes on running downloads, one small file each, to find the .part files of a process that was killed. */
export interface DownloadNotes {
  /** Never rejects: a download goes on without its note. */
  write(id: string, target: string, note: DownloadNote): Promise<void>;
  remove(id: string): Promise<void>;
  /** For a closing window, so synchronous: the next start reports the interruption. The .part file is already gone. */
  keepAsEnded(id: string): void;
  clearLeft(): Promise<readonly LeftDownload[]>;
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
/** A note that is incomplete may still be on its way to the disk for this long. */
const TORN_MS = 60_000;
/** Another process may have got the pid of a killed one: a file that has not grown for this long is left over. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Returns an unfinished download's path. Our files are known by this name, which no other file has, and their note. */
export function partPath(target: string, id: string): string {
  return `${target}.${id}.part`;
}

export function createDownloadNotes({ folder, clock, log }: DownloadNotesOptions): DownloadNotes {
  // Distinguishes this extension host from an earlier one with the same pid.
  const run = randomUUID();
  const fileOf = (id: string) => join(folder, id + NOTE_ENDING);
  const written = new Map<string, string>();

  async function isLeft({ id, pid, run: owner, target }: Noted): Promise<boolean> {
    if (pid === process.pid) return owner !== run;
    return !isRunning(pid) || (await isOlder(partPath(target, id), LONGEST_PAUSE_MS));
  }

  async function isOlder(path: string, ms: number): Promise<boolean> {
    const found = await stat(path).catch(() => undefined);
    return found !== undefined && clock.now() - found.mtimeMs > ms;
  }

  /** undefined if there is nothing to report: the download is running or finished, or another window was faster. */
  async function clear(name: string): Promise<LeftDownload | undefined> {
    const path = join(folder, name);
    const noted = decodeNoted(name, await readFile(path, 'utf8'));
    if (noted?.isEnded === true) return (await removed(path)) ? { target: noted.target, note: noted.note } : undefined;
    const isDone = noted === undefined ? await isOlder(path, TORN_MS) : await isLeft(noted);
    if (!isDone) return undefined;
    const wasThere = noted !== undefined && (await removed(partPath(noted.target, noted.id)));
    // The disk may be disconnected: check again next time.
    if (noted !== undefined && !wasThere && !(await exists(dirname(noted.target)))) return undefined;
    await rm(path, { force: true });
    if (!wasThere) return undefined;
    log.info('Removed what a download left that ended with its process');
    return { target: noted.target, note: noted.note };
  }

  return {
    async write(id, target, note) {
      const text = JSON.stringify({ pid: process.pid, run, target, note });
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(fileOf(id), text, { flag: 'wx' });
        written.set(id, text);
      } catch (error) {
        log.warn(`A download could not be noted: ${errorText(error)}`);
      }
    },
    async remove(id) {
      written.delete(id);
      await rm(fileOf(id), { force: true }).catch(() => {});
    },
    keepAsEnded(id) {
      const text = written.get(id);
      if (text === undefined) return;
      try {
        writeFileSync(fileOf(id), JSON.stringify({ ...JSON.parse(text), isEnded: true }));
      } catch (error) {
        log.warn(`A download that was cut off could not be noted: ${errorText(error)}`);
      }
    },
    async clearLeft() {
      const names = await readdir(folder).catch(() => []);
      const left: LeftDownload[] = [];
      for (const name of names.filter((each) => each.endsWith(NOTE_ENDING))) {
        const found = await clear(name).catch((error: unknown) => {
          log.warn(`What a download left could not be removed: ${errorText(error)}`);
        });
        if (found) left.push(found);
      }
      return left;
    },
  };
}

/** False if it did not exist: another window was faster, or the .part file has its final name. */
async function removed(path: string): Promise<boolean> {
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
  const value = parse(text);
  if (!ID.test(id) || !isRecord(value)) return undefined;
  const { pid, run, target } = value;
  const note = decodeNote(value.note);
  const isWhole = typeof pid === 'number' && typeof run === 'string' && typeof target === 'string';
  if (!isWhole || !isAbsolute(target) || note === undefined) return undefined;
  return { id, pid, run, target, note, isEnded: value.isEnded === true };
}

function decodeNote(value: unknown): DownloadNote | undefined {
  if (!isRecord(value) || !isRecord(value.connection)) return undefined;
  const { sessionId, streamId } = value;
  const { id, name } = value.connection;
  if (!isId(sessionId) || !isId(id) || typeof name !== 'string') return undefined;
  const stream = isId(streamId) ? { streamId } : {};
  return { connection: { id, name }, sessionId, ...stream };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
