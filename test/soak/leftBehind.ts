import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What this process holds outside of its heap. */
export interface Holdings {
  readonly timers: number;
  /** How many there are of each: 'socket', 'pipe', or the path of a file. Empty where the system doesn't list them. */
  readonly descriptors: ReadonlyMap<string, number>;
  /** Of events of VS Code and of this process. */
  readonly listeners: number;
  /** Paths of temporary files and folders of the extension and of the services. */
  readonly files: readonly string[];
}

/** What there is now beyond what there was before. Empty: nothing was left. */
export function leftSince(before: Holdings, now: Holdings): readonly string[] {
  const left: string[] = [];
  if (now.timers > before.timers) left.push(`${now.timers - before.timers} timers`);
  if (now.listeners > before.listeners) left.push(`${now.listeners - before.listeners} listeners`);
  for (const [what, count] of now.descriptors) {
    const more = count - (before.descriptors.get(what) ?? 0);
    if (more > 0) left.push(`${more} descriptors: ${what}`);
  }
  return [...left, ...now.files.filter((file) => !before.files.includes(file))];
}

const DESCRIPTORS = '/proc/self/fd';

/** Linux alone has them as files. */
export function openDescriptors(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (process.platform !== 'linux') return counts;
  for (const name of readdirSync(DESCRIPTORS)) {
    const what = targetOf(join(DESCRIPTORS, name));
    if (what !== undefined) counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}

/** undefined: of the descriptor with which the folder was read, which is closed by now. */
function targetOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(descriptor).replace(/:\[\d+\]$/, '');
  } catch {
    return undefined;
  }
}

/** Of the extension, and of the services of tests. */
export function temporaryFiles(): readonly string[] {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith('live-streams-'));
  return names.map((name) => join(tmpdir(), name));
}

/** Paths. None of a folder that isn't there. */
export function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
