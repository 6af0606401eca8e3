import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, requireProcess } from '../process/ownProcess.ts';
import { inTestFolder } from '../projectFolder.ts';

/** By name, so that a process which wants one twice at once fills one folder. */
const installing = new Map<string, Promise<string>>();

/**
 * Makes a folder below `.vscode-test` unless it is there. It is filled under another name and renamed when complete, so
 * that an interrupted run leaves nothing that looks finished; of two runs at once the first to finish wins.
 * @returns the folder's absolute path.
 */
export function installOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const underWay = installing.get(name);
  if (underWay !== undefined) return underWay;
  const install = installUnlessThere(name, fill).finally(() => installing.delete(name));
  installing.set(name, install);
  return install;
}

async function installUnlessThere(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const target = inTestFolder(name);
  if (existsSync(target)) return target;
  await removeLeftOvers();
  const partial = `${target}.partial-${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  console.log(`Installing ${name} into .vscode-test (once)…`);
  try {
    await fill(partial);
    await rename(partial, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return target;
}

/** Fetches a package from the npm registry without its dependencies, and unpacks it into `folder/package`. */
export async function unpackPackage(spec: string, folder: string, members: readonly string[] = []): Promise<void> {
  await requireProcess('npm', ['pack', spec, '--silent', '--pack-destination', folder], { cwd: folder });
  const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm pack ${spec} made no archive`);
  await requireProcess('tar', ['-xzf', archive, ...members], { cwd: folder });
  await rm(join(folder, archive));
}

async function removeLeftOvers(): Promise<void> {
  const entries = await readdir(inTestFolder()).catch(() => []);
  const abandoned = entries.filter((name) => {
    const pid = /\.partial-(\d+)$/.exec(name)?.[1];
    return pid !== undefined && !isRunning(Number(pid));
  });
  await Promise.all(abandoned.map((name) => rm(inTestFolder(name), { recursive: true, force: true })));
}
