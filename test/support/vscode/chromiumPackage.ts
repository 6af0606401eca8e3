import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { requireProcess } from '../process/ownProcess.ts';
import { inTestFolder } from '../projectFolder.ts';
import { installOnce, unpackPackage } from './installOnce.ts';

export const CHROMIUM_VERSION = '153.0.0';

export interface Chromium {
  readonly executablePath: string;
  /** What the browser needs in its environment to find the libraries and fonts that came with it. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Installs the headless Chromium for Linux x64 that the npm package `@sparticuz/chromium` holds. Its archives are unpacked
 * here rather than by the package's own code, which writes to /tmp and takes dependencies that no lock file pins.
 */
export async function installChromium(): Promise<Chromium> {
  const folder = await installOnce(`chromium-${CHROMIUM_VERSION}`, async (partial) => {
    await unpackPackage(`@sparticuz/chromium@${CHROMIUM_VERSION}`, partial, ['package/bin']);
    const packed = join(partial, 'package/bin');
    await decompress(join(packed, 'chromium.br'), join(partial, 'chromium'));
    await chmod(join(partial, 'chromium'), 0o755);
    for (const name of ['al2023', 'fonts', 'swiftshader']) await unpackTar(join(packed, `${name}.tar.br`), partial);
    await rm(join(partial, 'package'), { recursive: true });
    await writeFile(join(partial, 'fonts.conf'), fontsConf(inTestFolder(`chromium-${CHROMIUM_VERSION}`)));
  });
  const home = inTestFolder('home');
  await mkdir(home, { recursive: true });
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf'), HOME: home },
  };
}

async function unpackTar(archive: string, folder: string): Promise<void> {
  const tar = join(folder, 'unpacking.tar');
  await decompress(archive, tar);
  await requireProcess('tar', ['-xf', tar], { cwd: folder });
  await rm(tar);
}

async function decompress(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

/** The package's own fonts first, so that texts are as wide everywhere, then the machine's for other scripts. */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  ${['system-ui', 'sans-serif'].map(preferOpenSans).join('\n  ')}
</fontconfig>
`;
}

function preferOpenSans(family: string): string {
  return `<alias binding="same"><family>${family}</family><prefer><family>Open Sans</family></prefer></alias>`;
}
