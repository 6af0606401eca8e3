import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a module in a fresh Node process and gives back the JSON that it prints. */
export async function runInFreshProcess(source: string, env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...env },
    timeout: 20_000,
  });
  return JSON.parse(stdout);
}
