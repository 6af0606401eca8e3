import { readdir } from 'node:fs/promises';

/** Is there anything in this folder? False where it is not there, or cannot be read. */
export async function hasFiles(folder: string): Promise<boolean> {
  return readdir(folder).then(
    (names) => names.length > 0,
    () => false,
  );
}
