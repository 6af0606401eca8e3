import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /** Leaves so many bytes free, in pages of 4,096. */
  fill(free: number): void;
  setReadOnly(isReadOnly: boolean): void;
  remove(): void;
}

/**
 * A disk of its own in memory, which can be full. Needs the rights of root, and throws without them.
 * @param parent the folder to mount it in
 */
export function mountSmallDisk(bytes: number, parent = tmpdir()): SmallDisk {
  const path = mkdtempSync(join(parent, 'live-streams-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path]);
  return {
    path,
    fill(free) {
      const { bavail, bsize } = statfsSync(path);
      const filler = Math.max(0, bavail * bsize - free);
      if (filler > 0) writeFileSync(join(path, `filler-${filler}`), Buffer.alloc(filler));
    },
    setReadOnly(isReadOnly) {
      execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path]);
    },
    remove() {
      execFileSync('umount', [path]);
      rmdirSync(path);
    },
  };
}
