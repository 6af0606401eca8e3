import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, onDispose } from '../../src/util/disposable.ts';
import { replace } from '../host/replace.ts';
import { filesBelow, type Holdings, openDescriptors } from './leftBehind.ts';

interface HoldingsWatch extends Disposable {
  readonly now: Holdings;
}

/** @param storage the extension's own folder */
export function watchHoldings(storage: string): HoldingsWatch {
  const watching = new DisposableStore();
  const counts = new Map<string, number>();
  for (const namespace of [vscode.window, vscode.workspace, vscode.languages, vscode.env, vscode.extensions]) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(namespace))) {
      if (/^on(Did|Will)/.test(name) && typeof value === 'function') {
        watching.add(
          replace(
            namespace,
            name,
            countListeners(value, (change) => counts.set(name, (counts.get(name) ?? 0) + change)),
          ),
        );
      }
    }
  }
  return {
    get now() {
      return {
        timers: process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length,
        descriptors: openDescriptors(),
        listeners: new Map([...counts, ...listenersOfThisProcess()]),
        files: [...temporaryFiles(), ...filesBelow(join(storage, 'demo'))],
      };
    },
    dispose: () => watching.dispose(),
  };
}

function countListeners(event: (...args: unknown[]) => Disposable, count: (change: 1 | -1) => void) {
  return (...args: unknown[]): Disposable => {
    const subscription = event(...args);
    let isListening = true;
    count(1);
    return onDispose(() => {
      if (isListening) count(-1);
      isListening = false;
      subscription.dispose();
    });
  };
}

function listenersOfThisProcess(): readonly (readonly [event: string, count: number])[] {
  return process.eventNames().map((name) => [`process ${String(name)}`, process.listenerCount(name)]);
}

/** Of the extension, and of the services of tests. */
function temporaryFiles(): readonly string[] {
  return filesBelow(tmpdir()).filter((path) => basename(path).startsWith('live-streams-'));
}
