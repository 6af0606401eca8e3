import type { Clock } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';

const AGAIN_MS = 100;
const DRAIN_AT_MOST_MS = 3000;

export interface RowStates<T> {
  isSettling(row: T): boolean;
  /** Whether VS Code has the row. Firing a row that it no longer has is an error until its window is updated. */
  has(row: T): boolean;
  parent(row: T): T | undefined;
  fired(rows: readonly T[] | undefined): void;
}

export interface Redraws<T> extends Disposable {
  readonly onDidChange: Event<T[] | undefined>;
  /** `undefined`: all rows. */
  add(rows: readonly T[] | undefined): void;
  flush(): void;
  /** Resolves once all collected rows are fired. Waits a few seconds at most for rows that must not be fired yet. */
  drain(): Promise<void>;
}

/** Keeps rows that must not be fired yet until they may. Skips rows that are gone, and rows below a fired one. */
export function createRedraws<T>(states: RowStates<T>, clock: Pick<Clock, 'setTimeout'>): Redraws<T> {
  const changes = new Emitter<T[] | undefined>();
  const rows = new Set<T>();
  let isAll = false;
  let timer: Disposable | undefined;

  function flush(): void {
    timer?.dispose();
    timer = undefined;
    if (isAll) fireAll();
    else fireSettled();
    if (rows.size > 0) timer = clock.setTimeout(flush, AGAIN_MS);
  }

  function fireAll(): void {
    isAll = false;
    rows.clear();
    states.fired(undefined);
    changes.fire(undefined);
  }

  function fireSettled(): void {
    for (const row of rows) if (!states.has(row)) rows.delete(row);
    const settled = [...rows].filter((row) => !states.isSettling(row));
    const burst = new Set(settled);
    for (const row of settled) rows.delete(row);
    const fired = settled.filter((row) => !hasAbove(row, burst));
    if (fired.length === 0) return;
    states.fired(fired);
    changes.fire(fired);
  }

  function hasAbove(row: T, burst: ReadonlySet<T>): boolean {
    for (let above = states.parent(row); above !== undefined; above = states.parent(above)) {
      if (burst.has(above)) return true;
    }
    return false;
  }

  return {
    onDidChange: changes.event,
    add(more) {
      if (more === undefined) isAll = true;
      else for (const row of more) rows.add(row);
      if (isAll) timer?.dispose();
      timer = isAll ? clock.setTimeout(flush, 0) : (timer ?? clock.setTimeout(flush, 0));
    },
    flush,
    async drain() {
      flush();
      for (let waited = 0; rows.size > 0 && waited < DRAIN_AT_MOST_MS; waited += AGAIN_MS) {
        await new Promise<void>((resolve) => clock.setTimeout(resolve, AGAIN_MS));
      }
    },
    dispose() {
      timer?.dispose();
      rows.clear();
      changes.dispose();
    },
  };
}
