import type { Snapshot } from './snapshot.ts';

/** A command that may bring a connection back. */
export type WayToConnect = 'switchConnection' | 'addConnection' | 'startDemo';

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
