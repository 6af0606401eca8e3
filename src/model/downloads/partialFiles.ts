import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessRunning } from '../../util/isProcessRunning.ts';
import { isRecord } from '../../util/isRecord.ts';

export const NOTE_ENDING = '.json';
/** The file name ending of a note whose download was reported and can be resumed. */
export const KEPT_ENDING = '.kept';
/** How long partial files are kept for resuming. */
export const KEPT_MS = 7 * 24 * 3_600_000;
// Another process may have the PID of a killed one, so a note that hasn't changed for this long is checked.
const SURE_MS = 3_600_000;

/** Whether there may be a note about an interrupted download. Doesn't load the code that reads notes. */
export async function mayHaveLeft(folder: string, now: number): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  const notes = names.filter((name) => name.endsWith(NOTE_ENDING) || name.endsWith(KEPT_ENDING));
  const left = await Promise.all(notes.map((name) => mayBeLeft(join(folder, name), now).catch(() => true)));
  return left.includes(true);
}

async function mayBeLeft(path: string, now: number): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  if (path.endsWith(KEPT_ENDING)) return now - mtimeMs > KEPT_MS;
  const note: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isRecord(note) || typeof note.pid !== 'number') return true;
  // A note with our own PID is from an earlier process, because nothing has been started here yet.
  return note.isEnded === true || note.pid === process.pid || !isProcessRunning(note.pid) || now - mtimeMs > SURE_MS;
}
