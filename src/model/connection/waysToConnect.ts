import type { Snapshot } from '../store/snapshot.ts';

const WAYS = ['switchConnection', 'addConnection', 'startDemo'] as const;

/** A command that may bring a connection back. */
export type WayToConnect = (typeof WAYS)[number];

/**
 * What a person can do for something that belongs to a connection which is not open. Switching is offered only where there is
 * another stored connection than the open one.
 */
export function waysToConnect({
  connection,
  connectionCount,
}: Pick<Snapshot, 'connection' | 'connectionCount'>): readonly WayToConnect[] {
  const isStoredOpen = 'info' in connection && !connection.info.isDemo;
  const others = connectionCount - (isStoredOpen ? 1 : 0);
  return others > 0 ? ['switchConnection'] : ['addConnection', 'startDemo'];
}

/**
 * May a page of this connection have this act done now? What was pressed a moment before another connection was opened is
 * for no other; only a way to connect is for any.
 */
export function isForOpenConnection({ connection }: Pick<Snapshot, 'connection'>, id: string, act: string): boolean {
  const isOwn = 'info' in connection && connection.info.id === id;
  return isOwn || WAYS.some((way) => way === act);
}
