import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';

export interface OwnProcess {
  readonly child: ChildProcess;
  /** Everything it has written so far, both streams in the order they came. */
  output(): string;
  /** Resolves with the exit code, or 128 + the signal's number. Rejects when it could not be started. */
  readonly exited: Promise<number>;
  /** Ends it and all that it started, and waits for that. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/**
 * Starts a process as the leader of a group of its own, so that ending it ends what it started and nothing else.
 * It does not outlive this process: neither an error nor Ctrl-C leaves it behind.
 */
export function startProcess(command: string, args: readonly string[], options: SpawnOptions = {}): OwnProcess {
  endAllWithThisProcess();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, detached: true });
  running.add(child);
  const chunks: string[] = [];
  child.stdout?.on('data', (chunk) => chunks.push(String(chunk)));
  child.stderr?.on('data', (chunk) => chunks.push(String(chunk)));
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  }).finally(() => running.delete(child));
  exited.catch(() => undefined);
  return { child, output: () => chunks.join(''), exited, kill: () => endGroup(child, exited) };
}

/** Runs a process to its end with its output shown. Resolves with its exit code. */
export function runProcess(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<number> {
  return startProcess(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options }).exited;
}

/** Runs a process to its end, and throws with its output unless it exits with 0. */
export async function requireProcess(command: string, args: readonly string[], options?: SpawnOptions): Promise<void> {
  const started = startProcess(command, args, options);
  const code = await started.exited;
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}\n${started.output()}`);
}

/** Is there a process with this id? */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function endGroup(child: ChildProcess, exited: Promise<number>): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const insist = setTimeout(() => signalGroup(child, 'SIGKILL'), 5_000);
  await exited.catch(() => undefined);
  clearTimeout(insist);
  signalGroup(child, 'SIGKILL'); // what it started may linger after it
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ESRCH: all gone already
  }
}

function endAllWithThisProcess(): void {
  if (process.listeners('exit').includes(killAll)) return;
  process.on('exit', killAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}

/** With SIGTERM, so that those who started processes of their own can end them in turn. */
function killAll(): void {
  for (const child of running) signalGroup(child, 'SIGTERM');
}
