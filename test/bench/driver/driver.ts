// An extension that does in the extension host what a benchmark asks it for. Bundled and packaged by driverVsix.ts.
import { connect } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { loadedScripts } from '../../host/insideProcess.ts';
import { usedHeap } from '../collectGarbage.ts';
import { compressTimers } from './compressTimers.ts';
import { fillReferenceTree, fireReferenceTree, readReferenceCount, registerReferenceTree } from './referenceTree.ts';
import { countTreeItems, readTreeItemCount } from './treeItemCount.ts';
import { timeCommand, timeHovers, timeReads, timeToDiagnostic, typeText, watchTyping } from './typing.ts';

export interface Activation {
  /** Milliseconds until `activate()` of VS Code's API was through: loading the code, and the call. */
  readonly ms: number;
  /** Milliseconds of processor time, with what was left to do in the half second after it. */
  readonly cpu: number;
  /** Milliseconds in which nothing else ran, at most. */
  readonly longestBlock: number;
}

const handlers = {
  async activate(id: string): Promise<Activation> {
    const extension = extensionOf(id);
    if (extension.isActive) throw new Error(`${id} is active already`);
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    await pause(50);
    delays.reset();
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    await extension.activate();
    const ms = performance.now() - start;
    await pause(500);
    const { user, system } = process.cpuUsage(cpu);
    delays.disable();
    return { ms, cpu: (user + system) / 1000, longestBlock: delays.max / 1e6 };
  },
  /** The scripts that an extension has loaded so far. */
  scriptsOf: (id: string) => loadedScripts(extensionOf(id).extensionPath),
  run: async (command: string, ...args: unknown[]): Promise<void> => {
    await vscode.commands.executeCommand(command, ...args);
  },
  /** Resolves when this process has had next to nothing to do for a moment. */
  untilIdle,
  usedHeap,
  countTreeItems,
  readTreeItemCount,
  compressTimers,
  fillReferenceTree,
  fireReferenceTree,
  readReferenceCount,
  typeText,
  timeToDiagnostic,
  timeHovers,
  timeCommand,
  timeReads,
};

export type DriverHandlers = typeof handlers;

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(watchTyping());
  registerReferenceTree(context);
  const socket = connect(Number(process.env.LIVE_STREAMS_BENCH_PORT), '127.0.0.1');
  createInterface(socket).on('line', async (line) => {
    const { id, name, args } = JSON.parse(line);
    socket.write(`${JSON.stringify({ id, ...(await answer(name, args)) })}\n`);
  });
}

async function answer(name: string, args: never[]): Promise<{ value: unknown } | { error: string }> {
  try {
    const handler: ((...args: never[]) => unknown) | undefined = Reflect.get(handlers, name);
    if (handler === undefined) throw new Error(`There is no ${name}`);
    return { value: await handler(...args) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function extensionOf(id: string): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension(id);
  if (extension === undefined) throw new Error(`VS Code does not know ${id}`);
  return extension;
}

async function untilIdle(): Promise<void> {
  const end = Date.now() + 20_000;
  for (let quiet = 0; quiet < 3; ) {
    const before = performance.eventLoopUtilization();
    await pause(150);
    const { utilization } = performance.eventLoopUtilization(before);
    quiet = utilization < 0.05 ? quiet + 1 : 0;
    if (Date.now() > end) throw new Error('The extension host did not come to rest in 20 s');
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
