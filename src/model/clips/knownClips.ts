import type { Clip } from '../../api/clips.ts';
import type { Snapshot } from '../store/snapshot.ts';

export interface KnownClip {
  readonly streamId: string;
  readonly clip: Clip;
}

/** The clips of all streams whose clips were read. */
export function knownClips({ clips }: Snapshot): readonly KnownClip[] {
  return [...clips].flatMap(([streamId, items]) => items.map((clip) => ({ streamId, clip })));
}

export function findKnownClip(snapshot: Snapshot, id: string): KnownClip | undefined {
  return knownClips(snapshot).find(({ clip }) => clip.id === id);
}
