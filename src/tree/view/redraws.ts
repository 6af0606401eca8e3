import type { ViewNode } from '../../model/rows/nodes.ts';
import type { Clock, RowReference } from '../../services.ts';
import { type Disposable, DisposableSlot, DisposableStore } from '../../util/disposable.ts';
import { Emitter, type Event } from '../../util/events.ts';
import { isGone, type Row } from '../row.ts';
import type { RowsModel } from './rowsModel.ts';

const AGAIN_MS = 100;
const DRAIN_AT_MOST_MS = 3000;

export interface RowStates<T> {
  isSettling(row: T): boolean;
  /** Whether VS Code has the row. Firing a row that it no longer has is an error until its window is updated. */
  has(row: T): boolean;
  parent(row: T): T | undefined;
  fired(rows: readonly T[] | undefined): void;
}

interface DrawnRows<T> {
  hasRow(row: T): boolean;
  hasChildren(row: T): boolean;
  parent(row: T): T | undefined;
}

export interface Redraws<T> extends Disposable {
  readonly onDidChange: Event<T[] | undefined>;
  /** `undefined`: all rows. */
  add(rows: readonly T[] | undefined): void;
  /** Resolves once all collected rows are fired. Waits a few seconds at most for rows that must not be fired yet. */
  drain(): Promise<void>;
}

/** Keeps rows that must not be fired yet until they may. Skips rows that are gone, and rows below a fired one. */
export function createRedraws<T>(states: RowStates<T>, clock: Clock): Redraws<T> {
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

/**
 * Draws a row that VS Code has. If the row is gone, VS Code may have lost the redraw of its list (see `Settling`), so
 * the list is redrawn once more.
 */
export function drawGivenRow(
  model: Pick<RowsModel, 'row' | 'parent'>,
  redraws: Pick<Redraws<ViewNode>, 'add'>,
  node: ViewNode,
): Row {
  const row = model.row(node);
  const above = isGone(row) ? model.parent(node) : undefined;
  if (above !== undefined) redraws.add([above]);
  return row;
}

// VS Code's own bursts of redraws take 200 ms; it has registered new rows well within this time.
const SETTLES_IN_MS = 500;

/**
 * Tracks the rows that VS Code is registering. Firing a row while its children or its siblings are being registered
 * loses the rows below it: VS Code doesn't request them again (seen in 1.139).
 */
export class Settling<T> {
  readonly #clock: Clock;
  readonly #parent: (row: T) => T | undefined;
  readonly #until = new Map<T | undefined, number>();

  constructor(options: { readonly clock: Clock; readonly parent: (row: T) => T | undefined }) {
    this.#clock = options.clock;
    this.#parent = options.parent;
  }

  statesOf(rows: DrawnRows<T>): RowStates<T> {
    return {
      isSettling: (row) => this.has(row),
      has: (row) => rows.hasRow(row),
      parent: (row) => rows.parent(row),
      fired: (fired) => {
        if (fired === undefined) this.fired(undefined);
        else for (const row of fired) if (rows.hasChildren(row)) this.fired(row);
      },
    };
  }

  /** VS Code requests the children of this row. Call the returned function once they are returned. */
  begin(row: T | undefined): () => void {
    this.#forgetSettled();
    this.#until.set(row, Number.POSITIVE_INFINITY);
    return () => this.#until.set(row, this.#clock.elapsed() + SETTLES_IN_MS);
  }

  /** This row was fired: VS Code will soon request its children. Until then, it doesn't find rows fired below. */
  fired(row: T | undefined): void {
    const until = this.#until.get(row) ?? 0;
    this.#until.set(row, Math.max(until, this.#clock.elapsed() + SETTLES_IN_MS));
  }

  has(row: T): boolean {
    const above = this.#parent(row);
    return this.#isSettling(row) || (above === undefined ? this.#isSettling(above) : this.has(above));
  }

  #forgetSettled(): void {
    const now = this.#clock.elapsed();
    for (const [row, until] of this.#until) if (until <= now) this.#until.delete(row);
  }

  get size(): number {
    return this.#until.size;
  }

  #isSettling(row: T | undefined): boolean {
    const until = this.#until.get(row);
    if (until === undefined) return false;
    if (until > this.#clock.elapsed()) return true;
    this.#until.delete(row);
    return false;
  }
}

// A user who hasn't pointed at a row for this long isn't about to click one.
const PAUSE_MS = 10_000;

export interface Pause extends Disposable {
  plan(): void;
  /** Restarts the wait, because the user points at the tree. VS Code doesn't report scrolling. */
  prolong(): void;
}

export function createPause({ clock, run }: { readonly clock: Clock; readonly run: () => void }): Pause {
  const timer = new DisposableSlot();
  let isPlanned = false;
  const start = (): void => {
    isPlanned = true;
    timer.set(
      clock.setTimeout(() => {
        isPlanned = false;
        run();
      }, PAUSE_MS),
    );
  };
  return {
    plan() {
      if (!isPlanned) start();
    },
    prolong() {
      if (isPlanned) start();
    },
    dispose: () => timer.dispose(),
  };
}

/** Runs once all effects of a change are done: of two messages in a row, VS Code shows the first for 200 ms. */
export function createLateRun(clock: Clock, run: () => void): Disposable & { readonly plan: () => void } {
  const timer = new DisposableSlot();
  return { plan: () => timer.set(clock.setTimeout(run, 0)), dispose: () => timer.dispose() };
}

// Shorter than the wait of a reveal for postponed redraws (`Redraws.drain`).
const POINTS_FOR_MS = 2500;

/** Tracks whether the user points at a row. VS Code only shows this by requesting the row's tooltip. */
export interface Pointing {
  note(): void;
  /** Whether redrawing the row could move another one from under the pointer: rows come and go in groups only. */
  mayMoveRows(node: ViewNode): boolean;
}

export function createPointing(clock: Clock): Pointing {
  let until = Number.NEGATIVE_INFINITY;
  return {
    note() {
      until = clock.elapsed() + POINTS_FOR_MS;
    },
    mayMoveRows: ({ kind }) => (kind === 'group' || kind === 'connection') && clock.elapsed() < until,
  };
}

// Long enough to read a tooltip.
const READS_FOR_MS = 15_000;

/** The tooltips that VS Code has. It requests one once per drawing and closes it when its row is drawn again. */
export class ShownTooltips<T> {
  readonly #clock: Clock;
  readonly #shown = new Map<T, { readonly markdown: string | undefined; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A tooltip without Markdown soon becomes outdated, as does one with a picture of a live stream. */
  note(row: T, markdown: string | undefined): void {
    this.#shown.set(row, { markdown, at: this.#clock.elapsed() });
  }

  /** Returns the rows that would have another tooltip now, except those that the user may still be reading. */
  takeOutdated(tooltipOf: (row: T) => string | undefined): readonly T[] {
    const now = this.#clock.elapsed();
    const outdated = [...this.#shown]
      .filter(([row, { markdown, at }]) => now - at >= READS_FOR_MS && tooltipOf(row) !== markdown)
      .map(([row]) => row);
    for (const row of outdated) this.#shown.delete(row);
    return outdated;
  }
}

const TICK_MS = 20_000;

/**
 * Redraws times, and rows that showed a picture: VS Code resolves a tooltip once per drawing. A hidden view has no
 * timer: its times are drawn when it's shown again.
 */
export function startRelativeTimeTicker(options: {
  readonly view: { readonly visible: boolean; readonly onDidChangeVisibility: Event<unknown> };
  readonly clock: Clock;
  readonly drawTimes: () => void;
}): Disposable {
  const { view, clock, drawTimes } = options;
  const owned = new DisposableStore();
  const timer = owned.add(new DisposableSlot());
  const tick = (): void => {
    if (view.visible) drawTimes();
    plan();
  };
  const plan = (): void => timer.set(view.visible ? clock.setTimeout(tick, TICK_MS) : undefined);
  owned.add(view.onDidChangeVisibility(tick));
  plan();
  return owned;
}

interface Revealing {
  readonly model: Pick<RowsModel, 'load' | 'parent' | 'find'>;
  readonly drain: () => Promise<void>;
  /**
   * VS Code's `reveal`, which rejects if it doesn't find the row. Resolves to false for a group that VS Code left
   * collapsed, or a row that it didn't select, which happens silently if the rows are redrawn in the meantime.
   */
  readonly show: (node: ViewNode) => Promise<boolean>;
}

/** The maximum number of connection switches while a row is revealed. */
const MOST_RETRIES = 4;

/**
 * Reveals a row, with retries: a redraw of the whole tree removes all rows while VS Code searches for one. Resolves
 * with false if there's no such row, or its list couldn't be loaded.
 */
export async function revealRow({ model, drain, show }: Revealing, row: RowReference): Promise<boolean> {
  for (let retries = 0; ; retries += 1) {
    const node = await findRow();
    if (node === undefined) return false;
    try {
      if ((await show(node)) || retries === MOST_RETRIES) return true;
    } catch (error) {
      if (retries === MOST_RETRIES) throw error;
    }
  }

  async function findRow(): Promise<ViewNode | undefined> {
    await model.load();
    await loadAbove(model, model.find(row));
    await drain();
    const node = model.find(row);
    return node !== undefined && (await model.load(model.parent(node))).includes(node) ? node : undefined;
  }
}

/** Loads the rows above first: a redraw while VS Code searches for the row would remove its selection. */
async function loadAbove(model: Revealing['model'], node: ViewNode | undefined): Promise<void> {
  const above = node && model.parent(node);
  if (above === undefined) return;
  await loadAbove(model, above);
  await model.load(above);
}
