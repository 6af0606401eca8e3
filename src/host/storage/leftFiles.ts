import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../util/isRecord.ts';

/** What the names of notes end with. */
export const NOTE_ENDING = '.json';
/** Another process may have got the number of one that was killed: what has not changed for so long is looked at. */
const SURE_MS = 3_600_000;

/**
 * May there be a note (downloadNotes.ts) of a download that was cut off? Those of other windows that go on are none, and are
 * told without loading what reads notes. False where the folder is not there, or cannot be read.
 */
export async function mayHaveLeft(folder: string, now: number): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  const notes = names.filter((name) => name.endsWith(NOTE_ENDING));
  const left = await Promise.all(notes.map((name) => mayBeLeft(join(folder, name), now).catch(() => true)));
  return left.includes(true);
}

async function mayBeLeft(path: string, now: number): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  const note: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isRecord(note) || typeof note.pid !== 'number') return true;
  // One of our own number is of a process before this one: nothing has been begun here yet.
  return note.isEnded === true || note.pid === process.pid || !isRunning(note.pid) || now - mtimeMs > SURE_MS;
}

/** Signal 0 only asks; one of another person answers EPERM. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
