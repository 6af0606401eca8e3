import type { Snapshot } from '../store/snapshot.ts';

const WAYS = ['switchConnection', 'addConnection', 'startDemo'] as const;

export type WayToConnect = (typeof WAYS)[number];

/** What the user can do about an item whose connection isn't open. Offers to switch only if there is another. */
export function waysToConnect({
  connection,
  connectionCount,
}: Pick<Snapshot, 'connection' | 'connectionCount'>): readonly WayToConnect[] {
  const isStoredOpen = 'info' in connection && !connection.info.isDemo;
  const others = connectionCount - (isStoredOpen ? 1 : 0);
  return others > 0 ? ['switchConnection'] : ['addConnection', 'startDemo'];
}

/** A click just before another connection was opened must not act on that one, unless it is to connect. */
export function isForOpenConnection({ connection }: Pick<Snapshot, 'connection'>, id: string, act: string): boolean {
  const isOwn = 'info' in connection && connection.info.id === id;
  return isOwn || WAYS.some((way) => way === act);
}
