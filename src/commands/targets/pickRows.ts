import type { PickItem } from '../../services.ts';

/** The rows to show, and the one to highlight. `undefined` leaves that to VS Code: the first row that matches. */
export interface ShownRows<T> {
  readonly items: readonly PickItem<T>[];
  readonly highlighted: PickItem<T> | undefined;
}

/**
 * Keeps the order of rows in a picker that fills while the user types. VS Code identifies rows by their index alone: if
 * rows arrive while an Enter is on its way, it means the row that had the index before. So once the user has typed or
 * moved the highlight, rows keep their places and new ones are appended. The highlight is kept if the user moved it or
 * typed nothing; otherwise VS Code chooses it, because new rows may match better.
 */
export class PickRows<T> {
  #items: readonly PickItem<T>[] = [];
  /** The items on screen until VS Code has drawn those that were shown last. */
  #drawn: readonly PickItem<T>[] | undefined;
  #value = '';
  #moved: PickItem<T> | undefined;
  /**
   * Set while reported highlights aren't the user's: for new rows, VS Code first highlights a row of its own choice,
   * then the kept one. Highlights from before it got the rows come earlier.
   */
  #awaited: { readonly kept: PickItem<T> | undefined; isReported: boolean } | undefined;

  /** Notes a new text. VS Code has already highlighted the first matching row and reported that. */
  typed(value: string): void {
    this.#value = value;
    this.#moved = undefined;
  }

  highlightMoved(item: PickItem<T> | undefined): void {
    const awaited = this.#awaited;
    if (awaited === undefined) {
      this.#moved = item;
      return;
    }
    if (awaited.kept === undefined) awaited.isReported = true;
    else if (item !== undefined && finder([awaited.kept])(item) !== undefined) this.#awaited = undefined;
    if (this.#drawn === undefined) this.#settle();
  }

  show(next: readonly PickItem<T>[], highlighted: PickItem<T> | undefined): ShownRows<T> {
    this.#drawn ??= this.#items;
    const hasBegun = this.#value !== '' || this.#moved !== undefined;
    this.#items = hasBegun ? keepPlaces(this.#items, next) : next;
    const wanted = this.#moved ?? (this.#value === '' ? highlighted : undefined);
    const kept = wanted && finder(this.#items)(wanted);
    this.#awaited = { kept, isReported: false };
    return { items: this.#items, highlighted: kept };
  }

  /** Notes that VS Code has drawn the items that were shown last. */
  drawn(): void {
    this.#drawn = undefined;
    this.#settle();
  }

  #settle(): void {
    if (this.#awaited?.isReported) this.#awaited = undefined;
  }

  /** Returns the item that was on screen when one was chosen, given the one that has its index now. */
  chosen(item: PickItem<T>): PickItem<T> {
    return this.#drawn?.[this.#items.indexOf(item)] ?? item;
  }
}

function keepPlaces<T>(shown: readonly PickItem<T>[], next: readonly PickItem<T>[]): readonly PickItem<T>[] {
  const find = finder(next);
  const kept = new Set(
    shown.map((item) => (item.isSeparator === true ? item : find(item))).filter((item) => item !== undefined),
  );
  return [...kept, ...withoutKept(next, kept)];
}

/** Returns the new items, below the separators they belong to. */
function withoutKept<T>(next: readonly PickItem<T>[], kept: ReadonlySet<PickItem<T>>): readonly PickItem<T>[] {
  const last = [...kept].findLast(({ isSeparator }) => isSeparator === true);
  let [current, placed] = [last?.label, last?.label];
  return next.flatMap((item) => {
    if (item.isSeparator === true) current = item.label;
    if (item.isSeparator === true || kept.has(item)) return [];
    const isPlaced = current === undefined || current === placed;
    placed = current;
    return isPlaced ? [item] : [{ label: current ?? '', isSeparator: true }, item];
  });
}

function finder<T>(items: readonly PickItem<T>[]): (wanted: PickItem<T>) => PickItem<T> | undefined {
  const choices = items.filter(({ isSeparator }) => isSeparator !== true);
  const byValue = new Map(choices.map((item) => [item.value, item]));
  const byText = new Map(choices.map((item) => [textOf(item), item]));
  return (wanted) =>
    wanted.isSeparator === true ? undefined : (byValue.get(wanted.value) ?? byText.get(textOf(wanted)));
}

function textOf<T>({ label, description = '' }: PickItem<T>): string {
  return `${label}\n${description}`;
}
