import type { Stream } from '../../api/types.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** Returns a loaded stream, including child streams; undefined if it isn't loaded. */
export function knownStream(
  { store }: { readonly store: { readonly snapshot: Snapshot } },
  id: string,
): Stream | undefined {
  const { snapshot } = store;
  return snapshot.streams.get(id)?.stream ?? findChildStream(snapshot, id);
}

/** Returns a loaded deprecated child stream; these aren't among the snapshot's streams. */
function findChildStream(
  { children, orphans }: Pick<Snapshot, 'children' | 'orphans'>,
  id: string,
): Stream | undefined {
  return [orphans, ...children.values()].flatMap((list) => list.items).find((child) => child.id === id);
}
