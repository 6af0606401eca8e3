import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;

interface ZipEntry {
  readonly name: string;
  readonly isDeflated: boolean;
  readonly packedSize: number;
  /** Where its local header begins. */
  readonly at: number;
}

/** The names in a zip file, from its central directory (APPNOTE.TXT 4.3.12 and 4.3.16). */
export function listZipEntries(file: string): string[] {
  return readDirectory(file, readFileSync(file)).map(({ name }) => name);
}

/** What one file of a zip file holds (APPNOTE.TXT 4.3.7). */
export function readZipEntry(file: string, name: string): Buffer {
  const zip = readFileSync(file);
  const entry = readDirectory(file, zip).find((each) => each.name === name);
  if (entry === undefined) throw new Error(`${file} has no ${name}`);
  const start = entry.at + 30 + zip.readUInt16LE(entry.at + 26) + zip.readUInt16LE(entry.at + 28);
  const packed = zip.subarray(start, start + entry.packedSize);
  return entry.isDeflated ? inflateRawSync(packed) : packed;
}

function readDirectory(file: string, zip: Buffer): ZipEntry[] {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error(`${file} is not a zip file`);
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error(`${file} has a broken directory`);
    const [nameLength = 0, extraLength = 0, commentLength = 0] = [28, 30, 32].map((field) =>
      zip.readUInt16LE(at + field),
    );
    const start = at + 46;
    entries.push({
      name: zip.toString('utf8', start, start + nameLength),
      isDeflated: zip.readUInt16LE(at + 10) === 8,
      packedSize: zip.readUInt32LE(at + 20),
      at: zip.readUInt32LE(at + 42),
    });
    at = start + nameLength + extraLength + commentLength;
  }
  return entries;
}
