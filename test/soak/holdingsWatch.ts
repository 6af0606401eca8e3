import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, onDispose } from '../../src/util/disposable.ts';
import { replace } from '../host/replace.ts';
import { filesBelow, type Holdings, openDescriptors, temporaryFiles } from './leftBehind.ts';

interface HoldingsWatch extends Disposable {
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
