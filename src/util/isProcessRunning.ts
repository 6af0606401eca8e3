import { errorCode } from './errorCode.ts';

/** Signal 0 only tests. EPERM means that another user's process has the pid. */
export function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
