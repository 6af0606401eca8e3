import type { Stream } from '../../api/types.ts';
import { EMPTY_SUB_LIST, type Snapshot, type SubList } from '../store/snapshot.ts';

/** The id of the parent; undefined for deprecated child streams without a known parent. */
export type ChildList = string | undefined;

type ChildStreams = Pick<Snapshot, 'children' | 'orphans'>;

export const NO_CHILD_STREAMS: ChildStreams = { children: new Map(), orphans: EMPTY_SUB_LIST };

/** Whether a stream is a deprecated child stream (one for each session of its parent). */
export function isChildStream({ parentId }: Stream): boolean {
  return parentId !== undefined;
}

/** Returns a loaded deprecated child stream; these are not among the snapshot's streams. */
function findChildStream({ children, orphans }: ChildStreams, id: string): Stream | undefined {
  return [orphans, ...children.values()].flatMap((list) => list.items).find((child) => child.id === id);
}

export function withChildList(
  { children, orphans }: ChildStreams,
  parentId: ChildList,
  change: Partial<SubList<Stream>>,
): Partial<ChildStreams> {
  if (parentId === undefined) return { orphans: { ...orphans, ...change } };
  const old = children.get(parentId) ?? EMPTY_SUB_LIST;
  return { children: new Map(children).set(parentId, { ...old, ...change }) };
}

/** Returns a loaded stream, including child streams; undefined if it isn't loaded. */
export function knownStream(
  { store }: { readonly store: { readonly snapshot: Snapshot } },
  id: string,
): Stream | undefined {
  const { snapshot } = store;
  return snapshot.streams.get(id)?.stream ?? findChildStream(snapshot, id);
}
