import { readdirSync, readFileSync } from 'node:fs';
import { waitUntil } from '../page/waitUntil.ts';
import type { VscodeServer } from './vscodeServer.ts';

/** Kills the one extension host of this server, as running out of memory does; nothing in it can tidy up. */
export async function killExtensionHost({ process: server }: VscodeServer): Promise<void> {
  const { pid: serverPid } = server.child;
  const hosts = allProcesses().filter(
    ({ pid, command }) => command.includes('--type=extensionHost') && isBelow(pid, serverPid),
  );
  // What a host has just started has its command line until it runs a program of its own.
  const found = hosts.filter(({ parent }) => !hosts.some(({ pid }) => pid === parent));
  const [only] = found;
  if (only === undefined || found.length !== 1) throw new Error(`The server has ${found.length} extension hosts`);
  process.kill(only.pid, 'SIGKILL');
  await waitUntil(async () => !allProcesses().some(({ pid }) => pid === only.pid));
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Linux alone, as all that runs the npm-hosted VS Code. One that ends meanwhile, or is only waited for, is left out. */
function allProcesses(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        // The name, in brackets, may hold anything; after it come state and parent (proc(5)).
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return command === '' ? [] : [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return [];
      }
    });
}

function isBelow(pid: number, ancestor: number | undefined): boolean {
  const parents = new Map(allProcesses().map((each) => [each.pid, each.parent]));
  for (let at = parents.get(pid); at !== undefined; at = parents.get(at)) if (at === ancestor) return true;
  return false;
}
