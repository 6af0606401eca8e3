import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { requireProcess } from '../process/ownProcess.ts';
import { inTestFolder } from '../projectFolder.ts';
import { installOnce } from './installOnce.ts';
import type { InstalledEditor } from './vscodePackage.ts';

const PREFIX = 'extensions-';

/**
 * Puts extensions into the folder where a server looks for them. Each set of packages is installed by the editor once, which
 * takes seconds, and copied from then on.
 * @param vsixFiles absolute paths
 */
export async function copyInstalledExtensions(
  { serverMain, node }: InstalledEditor,
  vsixFiles: readonly string[],
  target: string,
): Promise<void> {
  const hash = createHash('sha256').update(serverMain);
  for (const file of vsixFiles) hash.update(await readFile(file));
  const folder = await installOnce(`${PREFIX}${hash.digest('hex').slice(0, 16)}`, async (partial) => {
    const base = [
      serverMain,
      '--server-data-dir',
      partial,
      '--accept-server-license-terms',
      '--telemetry-level',
      'off',
    ];
    for (const file of vsixFiles) await requireProcess(node, [...base, '--install-extension', file, '--force']);
  });
  await cp(join(folder, 'extensions'), target, { recursive: true });
}

/** Removes what was installed of packages that have since been made anew. */
export async function removeInstalledExtensions(): Promise<void> {
  const names = (await readdir(inTestFolder())).filter((name) => name.startsWith(PREFIX));
  await Promise.all(names.map((name) => rm(inTestFolder(name), { recursive: true, force: true })));
}
