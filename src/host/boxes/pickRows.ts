import type { PickItem } from '../../services.ts';

/** Rows as they are to be shown, and the one to highlight; `undefined` leaves that to the editor: the first that matches. */
export interface Shown<T> {
  readonly items: readonly PickItem<T>[];
  readonly highlighted: PickItem<T> | undefined;
}

/**
 * Where the rows of a picker stand that fills while the person types. The editor tells rows apart by their place alone: an
 * Enter that is on its way while rows arrive means the row that had the place before. So once the person has begun, rows keep
 * their places and new ones follow. Their highlight is kept where they moved it, or typed nothing; else it is the editor's, as
 * what arrives may match better.
 */
export class PickRows<T> {
  #items: readonly PickItem<T>[] = [];
  #value = '';
  /** What the person moved the highlight to. */
  #moved: PickItem<T> | undefined;
  /** What the editor tells of next is not the person's doing: new rows make it highlight one by itself, then the kept one. */
  #awaited: { readonly kept: PickItem<T> | undefined } | undefined;

  /** The text is another: the editor has highlighted the first row that matches it, and said so before. */
  typed(value: string): void {
    this.#value = value;
    this.#moved = undefined;
  }

  /** The editor says that another row is highlighted, or none. */
  highlightMoved(item: PickItem<T> | undefined): void {
    const awaited = this.#awaited;
    if (awaited === undefined) this.#moved = item;
    else if (awaited.kept === undefined || (item !== undefined && isSame(awaited.kept, item)))
      this.#awaited = undefined;
  }

  show(next: readonly PickItem<T>[], highlighted: PickItem<T> | undefined): Shown<T> {
    const hasBegun = this.#value !== '' || this.#moved !== undefined;
    this.#items = hasBegun ? keepPlaces(this.#items, next) : next;
    const wanted = this.#moved ?? (this.#value === '' ? highlighted : undefined);
    const kept = wanted && finder(this.#items)(wanted);
    this.#awaited = { kept };
    return { items: this.#items, highlighted: kept };
  }
}

function keepPlaces<T>(shown: readonly PickItem<T>[], next: readonly PickItem<T>[]): readonly PickItem<T>[] {
  const find = finder(next);
  const kept = new Set(shown.map(find).filter((item) => item !== undefined));
  return [...kept, ...next.filter((item) => !kept.has(item))];
}

/** Finds the item that is the same as another, which need not be the same object: by its value, else by what is read of it. */
function finder<T>(items: readonly PickItem<T>[]): (wanted: PickItem<T>) => PickItem<T> | undefined {
  const choices = items.filter(({ isSeparator }) => isSeparator !== true);
  const byValue = new Map(choices.map((item) => [item.value, item]));
  const byText = new Map(choices.map((item) => [textOf(item), item]));
  return (wanted) =>
    wanted.isSeparator === true ? undefined : (byValue.get(wanted.value) ?? byText.get(textOf(wanted)));
}

function isSame<T>(one: PickItem<T>, other: PickItem<T>): boolean {
  return finder([one])(other) !== undefined;
}

function textOf<T>({ label, description = '' }: PickItem<T>): string {
  return `${label}\n${description}`;
}
