import { LIST_NAMES, type Snapshot } from '../model/store/snapshot.ts';
import { isShown } from '../model/store/streams.ts';
import { type NodeOf, streamRowId } from './nodes.ts';

type StreamNode = NodeOf<'stream'>;

/**
 * Which stream rows are expanded. VS Code forgets this for a row that disappears, so a row that comes back after a
 * filter, or moves to another group, would be collapsed.
 */
export class OpenRows {
  readonly #open = new Set<string>();

  opened({ id }: StreamNode): void {
    this.#open.add(id);
  }

  closed({ id }: StreamNode): void {
    this.#open.delete(id);
  }

  clear(): void {
    this.#open.clear();
  }

  /**
   * Whether a new row starts expanded: it was expanded when it disappeared, or its stream was expanded in a group that
   * it has left.
   */
  isOpen(snapshot: Snapshot, { id, list, streamId }: StreamNode): boolean {
    if (this.#open.has(id)) return true;
    const left = LIST_NAMES.filter((other) => other !== list && this.#open.has(streamRowId(other, streamId))).find(
      (other) => !isShown(snapshot, other, streamId),
    );
    if (left === undefined) return false;
    this.#open.delete(streamRowId(left, streamId));
    return true;
  }
}
