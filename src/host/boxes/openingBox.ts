import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { untilFocused } from '../../panels/pageInFront.ts';
import { rowGate } from '../../tree/view/rowGate.ts';
import { type DisposableStore, onDispose } from '../../util/disposable.ts';

/** Within this time, VS Code has drawn rows, and views have noticed that they lost focus. */
const SETTLES_WITHIN_MS = 60;

let current: vscode.QuickInput | undefined;

/**
 * Shows a box when nothing can take focus from it: while no view is getting rows, and once the active page has
 * taken focus. Shows it immediately if it replaces another box, which has focus.
 */
export function showBox(box: vscode.QuickInput, owned: DisposableStore): void {
  const settled = current === undefined ? untilSettled() : undefined;
  current = box;
  owned.add(
    onDispose(() => {
      if (current === box) current = undefined;
    }),
  );
  rowGate.closeUntil(open(box, settled));
}

async function untilSettled(): Promise<void> {
  const rows = rowGate.givenAt + SETTLES_WITHIN_MS - performance.now();
  await Promise.all([rows > 0 ? delay(rows) : undefined, untilFocused()]);
}

async function open(box: vscode.QuickInput, settled: Promise<void> | undefined): Promise<void> {
  await settled;
  box.show();
  await untilDrawn();
  await delay(SETTLES_WITHIN_MS);
}

/** Resolves when VS Code has drawn earlier changes: boxes send them in the next task, and messages arrive in order. */
export async function untilDrawn(): Promise<void> {
  await delay(0);
  try {
    await vscode.commands.executeCommand('setContext', 'liveStreams.pickerIsDrawn', true);
  } catch {
    // VS Code accepts no more commands: the window is closing.
  }
}
