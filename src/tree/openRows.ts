import { LIST_NAMES, type Snapshot } from '../model/store/snapshot.ts';
import { isShown } from '../model/store/streams.ts';
import { type NodeOf, streamRowId } from './nodes.ts';

type StreamNode = NodeOf<'stream'>;

/**
 * Which streams the person has open. VS Code forgets it of a row that goes: one that comes back behind a filter, or comes to
 * another group, would be closed.
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

  /** Is a row that appears now to be open? It was when it went, or its stream was in a group that it has left. */
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
