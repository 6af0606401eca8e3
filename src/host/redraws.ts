import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';

/** How long a row that could not be fired yet waits before it is tried again. */
const AGAIN_MS = 100;
const DRAIN_AT_MOST_MS = 3000;

/** Rows to draw again, gathered until the code that is running has done: one event for each burst of changes. */
export interface Redraws<T> extends Disposable {
  readonly onDidChange: vscode.Event<T[] | undefined>;
  /** `undefined` = all rows. */
  add(rows: readonly T[] | undefined): void;
  /** Fires what was gathered and can be fired, now. */
  flush(): void;
  /** Resolves once all that was gathered was fired; waits for rows that must not be fired yet, some seconds at most. */
  drain(): Promise<void>;
}

/** @param isSettling rows that must not be fired yet; they are kept until it says otherwise. */
export function createRedraws<T>(isSettling: (row: T) => boolean): Redraws<T> {
  const changes = new vscode.EventEmitter<T[] | undefined>();
  const rows = new Set<T>();
  let isAll = false;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isAll) fireAll();
    else fireSettled();
    if (rows.size > 0) timer = setTimeout(flush, AGAIN_MS);
  }

  function fireAll(): void {
    isAll = false;
    rows.clear();
    changes.fire(undefined);
  }

  function fireSettled(): void {
    const settled = [...rows].filter((row) => !isSettling(row));
    for (const row of settled) rows.delete(row);
    if (settled.length > 0) changes.fire(settled);
  }

  return {
    onDidChange: changes.event,
    add(more) {
      if (more === undefined) isAll = true;
      else for (const row of more) rows.add(row);
      if (isAll) clearTimeout(timer);
      timer = isAll ? setTimeout(flush, 0) : (timer ?? setTimeout(flush, 0));
    },
    flush,
    async drain() {
      flush();
      for (let waited = 0; rows.size > 0 && waited < DRAIN_AT_MOST_MS; waited += AGAIN_MS) {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    },
    dispose() {
      clearTimeout(timer);
      rows.clear();
      changes.dispose();
    },
  };
}
