import { open, stat } from 'node:fs/promises';

/** A private key as PEM takes 250 bytes; a file may also have comments. */
const MOST_BYTES = 64 * 1024;

/** Returns the text of a file; undefined if it's too large for a key or can't be read. */
export async function readKeyFile(path: string): Promise<string | undefined> {
  try {
    // Reading a FIFO waits for its other end.
    if (!(await stat(path)).isFile()) return undefined;
    const handle = await open(path);
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(MOST_BYTES + 1));
      return bytesRead > MOST_BYTES ? undefined : buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
