import type { Clock } from '../../services.ts';
import type { Disposable } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';

/** How long a row that could not be fired yet waits before it is tried again. */
const AGAIN_MS = 100;
const DRAIN_AT_MOST_MS = 3000;

/** What VS Code has been given of the rows. */
export interface GivenRows<T> {
  /** Must this row not be fired at the moment? */
  isSettling(row: T): boolean;
  /** Does VS Code have it? A row that it has no more is an error to it where its own window has not heard of that yet. */
  has(row: T): boolean;
  parent(row: T): T | undefined;
  /** Is told what is fired; undefined = everything. */
  fired(rows: readonly T[] | undefined): void;
}

/** Rows to draw again, gathered until the code that is running has done: one event for each burst of changes. */
export interface Redraws<T> extends Disposable {
  readonly onDidChange: Event<T[] | undefined>;
  /** `undefined` = all rows. */
  add(rows: readonly T[] | undefined): void;
  /** Fires what was gathered and can be fired, now. */
  flush(): void;
  /** Resolves once all that was gathered was fired; waits for rows that must not be fired yet, some seconds at most. */
  drain(): Promise<void>;
}

/** Rows that must not be fired yet are kept until they may be. Not fired are rows that went meanwhile, and rows under one that is. */
export function createRedraws<T>(given: GivenRows<T>, clock: Pick<Clock, 'setTimeout'>): Redraws<T> {
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
    given.fired(undefined);
    changes.fire(undefined);
  }

  function fireSettled(): void {
    for (const row of rows) if (!given.has(row)) rows.delete(row);
    const settled = [...rows].filter((row) => !given.isSettling(row));
    const burst = new Set(settled);
    for (const row of settled) rows.delete(row);
    const fired = settled.filter((row) => !hasAbove(row, burst));
    if (fired.length === 0) return;
    given.fired(fired);
    changes.fire(fired);
  }

  function hasAbove(row: T, burst: ReadonlySet<T>): boolean {
    for (let above = given.parent(row); above !== undefined; above = given.parent(above)) {
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
