import * as vscode from 'vscode';
import type { Step } from '../../services.ts';
import type { Disposable, DisposableStore } from '../../util/disposable.ts';

export function showStep(box: vscode.QuickInput, step: Step | undefined): void {
  box.step = step?.current;
  box.totalSteps = step?.total;
}

/** Adds the Back button if there is something to run. Resolves when it's pressed. */
export function whenBack(
  box: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  owned: DisposableStore,
  back: (() => void) | undefined,
): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (back === undefined) return promise;
  box.buttons = [vscode.QuickInputButtons.Back, ...box.buttons];
  owned.add(
    box.onDidTriggerButton((pressed) => {
      if (pressed !== vscode.QuickInputButtons.Back) return;
      back();
      resolve(undefined);
    }),
  );
  return promise;
}

/** Lets the next box of a series replace this one first: otherwise, there'd be no box on screen in between. */
export function disposeSoon(owned: Disposable): void {
  setTimeout(() => owned.dispose(), 0);
}
