import type { Stream } from '../../api/types.ts';
import { EMPTY_SUB_LIST, type Snapshot, type SubList } from '../store/snapshot.ts';

/** The parent's ID; undefined for deprecated child streams without a known parent. */
export type ChildList = string | undefined;

type ChildStreams = Pick<Snapshot, 'children' | 'orphans'>;

export const NO_CHILD_STREAMS: ChildStreams = { children: new Map(), orphans: EMPTY_SUB_LIST };

/** Whether a stream is a deprecated child stream (one for each session of its parent). */
export function isChildStream({ parentId }: Stream): boolean {
  return parentId !== undefined;
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
