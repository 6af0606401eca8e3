import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What this process holds outside of its heap. */
export interface Holdings {
  readonly timers: number;
  /** How many there are of each: 'socket', 'pipe', or the path of a file. Empty where the system doesn't list them. */
  readonly descriptors: ReadonlyMap<string, number>;
  /** How many there are of each event of VS Code and of this process. */
  readonly listeners: ReadonlyMap<string, number>;
  /** Paths of temporary files and folders of the extension and of the services. */
  readonly files: readonly string[];
}

/** What there is now beyond what there was before. Empty: nothing was left. */
export function leftSince(before: Holdings, now: Holdings): readonly string[] {
  const timers = now.timers > before.timers ? [`${now.timers - before.timers} timers`] : [];
  return [
    ...timers,
    ...moreOf('listeners', before.listeners, now.listeners),
    ...moreOf('descriptors', before.descriptors, now.descriptors),
    ...now.files.filter((file) => !before.files.includes(file)),
  ];
}

function moreOf(
  what: string,
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): readonly string[] {
  return [...now].flatMap(([name, count]) => {
    const more = count - (before.get(name) ?? 0);
    return more > 0 ? [`${more} ${what}: ${name}`] : [];
  });
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

/** Paths. None of a folder that isn't there. */
export function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
