import { readFileSync } from 'node:fs';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;

/** The names in a zip file, from its central directory (APPNOTE.TXT 4.3.12 and 4.3.16). */
export function listZipEntries(file: string): string[] {
  const zip = readFileSync(file);
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error(`${file} is not a zip file`);
  const names: string[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error(`${file} has a broken directory`);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    const start = at + 46;
    names.push(zip.toString('utf8', start, start + (nameLength ?? 0)));
    at = start + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return names;
}
