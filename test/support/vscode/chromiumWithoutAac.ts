import { chmod, link, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CHROMIUM_VERSION, type Chromium, installChromium } from './chromiumPackage.ts';
import { installOnce } from './installOnce.ts';

/** What the compiler made of the only decoder whose codec id is AV_CODEC_ID_AAC, 0x15002: media type, then codec id. */
const DECODER_ENTRY = Buffer.from('0100000002500100', 'hex');
/** An id that ffmpeg does not know. */
const NO_CODEC = Buffer.from('f2ff', 'hex');
const CODEC_AT = 4;

/**
 * Makes a Chromium from the one of `installChromium` that differs in one thing: its ffmpeg does not find a decoder for
 * AAC. It still says that it can decode AAC, since that is decided when it is compiled. So does desktop VS Code.
 */
export async function installChromiumWithoutAac(): Promise<Chromium> {
  const { executablePath, env } = await installChromium();
  const original = dirname(executablePath);
  const folder = await installOnce(`chromium-${CHROMIUM_VERSION}-without-aac`, async (partial) => {
    for (const entry of await readdir(original, { withFileTypes: true })) {
      if (entry.isFile()) await copy(join(original, entry.name), join(partial, entry.name), executablePath);
    }
  });
  return { executablePath: join(folder, 'chromium'), env };
}

async function copy(from: string, to: string, executablePath: string): Promise<void> {
  if (from !== executablePath) return link(from, to);
  await writeFile(to, withoutAacDecoder(await readFile(from), CHROMIUM_VERSION));
  await chmod(to, 0o755);
}

/** Changes a Chromium's executable in place. Throws if it does not have exactly one entry that may be the decoder's. */
export function withoutAacDecoder(executable: Buffer, version: string): Buffer {
  const at = executable.indexOf(DECODER_ENTRY);
  if (at < 0 || executable.indexOf(DECODER_ENTRY, at + 1) >= 0) {
    const found = at < 0 ? 'no entry' : 'more than one entry';
    throw new Error(`Chromium ${version} has ${found} of an AAC decoder (.github/CONTRIBUTING.md, Two browsers)`);
  }
  NO_CODEC.copy(executable, at + CODEC_AT);
  return executable;
}
