import type { Interest } from '../../model/loading/interest.ts';
import type { Node } from '../../model/rows/nodes.ts';
import { rowKind } from '../nodeTable.ts';

interface ShownRows {
  isShown(rowId: string): boolean;
  closed(node: Node): void;
}

/**
 * Tracks the expanded rows, also for the poller. VS Code fires no event for rows that it expands itself, nor for
 * expanded rows that disappear: a row counts as expanded once its children are requested, and no longer once it's gone.
 */
export class ExpandedRows {
  readonly #ids = new Set<string>();
  readonly #interest: Interest | undefined;
  readonly #model: ShownRows;

  constructor(interest: Interest | undefined, model: ShownRows) {
    this.#interest = interest;
    this.#model = model;
  }

  /** VS Code requests the rows below this one. */
  requested(node: Node | undefined): void {
    if (node === undefined) this.#clear();
    else this.opened(node);
    const target = node && rowKind(node).below?.pollTarget(node);
    if (node !== undefined && target !== undefined) this.#interest?.opened(node.id, target);
  }

  /** The model has returned the rows that were requested. */
  returned(): void {
    this.#interest?.keepOnly((rowId) => this.#model.isShown(rowId));
  }

  opened(node: Node): void {
    this.#ids.add(node.id);
  }

  has(node: Node): boolean {
    return this.#ids.has(node.id);
  }

  closed(node: Node): void {
    this.#ids.delete(node.id);
    this.#interest?.closed(node.id);
    this.#model.closed(node);
  }

  #clear(): void {
    this.#ids.clear();
    this.#interest?.keepOnly(() => false);
  }
}
