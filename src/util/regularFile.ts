import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/** Windows has neither flag. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a file for reading. Returns undefined if it isn't a regular file: reading a FIFO waits for its other end, and
 * opening a device may act on it. Throws the errors of the file system.
 */
export async function openRegularFile(path: string): Promise<FileHandle | undefined> {
  if (!(await stat(path)).isFile()) return undefined;
  // Another file may have taken its place meanwhile.
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
