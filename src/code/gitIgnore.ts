import { execFile } from 'node:child_process';
import { errorCode } from '../util/errorCode.ts';

const TIMEOUT_MS = 10_000;

/** Whether Git ignores a file. Git doesn't ignore tracked files. Throws if Git doesn't respond within 10 seconds. */
export async function isIgnored(
  file: string,
  { git, root }: { readonly git: string; readonly root: string },
): Promise<boolean> {
  const options = { cwd: root, timeout: TIMEOUT_MS, windowsHide: true };
  const error = await new Promise<Error | null>((resolve) => {
    execFile(git, ['check-ignore', '--quiet', '--', file], options, resolve);
  });
  if (error === null) return true;
  if (errorCode(error) === '1') return false;
  throw error;
}
