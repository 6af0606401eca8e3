import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, onDispose } from '../../src/util/disposable.ts';
import { replace } from '../host/replace.ts';

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

export interface HoldingsWatch extends Disposable {
  readonly now: Holdings;
}

/** @param storage the extension's own folder */
export function watchHoldings(storage: string): HoldingsWatch {
  const watching = new DisposableStore();
  const counted = { listeners: 0 };
  for (const namespace of [vscode.window, vscode.workspace, vscode.languages, vscode.env, vscode.extensions]) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(namespace))) {
      if (/^on(Did|Will)/.test(name) && typeof value === 'function') {
        watching.add(replace(namespace, name, countListeners(value, counted)));
      }
    }
  }
  return {
    get now() {
      return {
        timers: process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length,
        descriptors: openDescriptors(),
        listeners: counted.listeners + listenersOfThisProcess(),
        files: [...temporaryFiles(), ...filesBelow(join(storage, 'demo'))],
      };
    },
    dispose: () => watching.dispose(),
  };
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

function countListeners(event: (...args: unknown[]) => Disposable, counted: { listeners: number }) {
  return (...args: unknown[]): Disposable => {
    const subscription = event(...args);
    let isListening = true;
    counted.listeners += 1;
    return onDispose(() => {
      if (isListening) counted.listeners -= 1;
      isListening = false;
      subscription.dispose();
    });
  };
}

function listenersOfThisProcess(): number {
  return process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
}

const DESCRIPTORS = '/proc/self/fd';

/** Linux alone has them as files. */
function openDescriptors(): ReadonlyMap<string, number> {
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

function temporaryFiles(): readonly string[] {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith('live-streams-'));
  return names.map((name) => join(tmpdir(), name));
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
