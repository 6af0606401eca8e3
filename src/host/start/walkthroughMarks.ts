import * as vscode from 'vscode';
import type { Clock } from '../../services.ts';
import { DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import { Emitter } from '../../util/events.ts';

/** By this time after the walkthrough's tab was opened, VS Code has read it. */
const READ_AFTER_MS = 1000;
const NOTICED_AFTER_MS = 300;

/**
 * Decides when to mark walkthrough steps that were completed earlier: briefly, right after a tab opens that may be the
 * walkthrough. VS Code reads it before that, and never marks a step whose context key is already true then.
 */
export function createStepMarks(clock: Clock) {
  const owned = new DisposableStore();
  const changes = owned.add(new Emitter<void>());
  const timer = owned.add(new DisposableSlot());
  let isMarking = false;
  const set = (is: boolean): void => {
    isMarking = is;
    changes.fire();
  };
  const begin = (): void => {
    set(true);
    timer.set(clock.setTimeout(() => set(false), NOTICED_AFTER_MS));
  };
  owned.add(
    vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
      // The API has no kind for a walkthrough's tab.
      if (!isMarking && opened.some(({ input }) => input === undefined))
        timer.set(clock.setTimeout(begin, READ_AFTER_MS));
    }),
  );
  return {
    get isMarking() {
      return isMarking;
    },
    onDidChange: changes.event,
    dispose: () => owned.dispose(),
  };
}
