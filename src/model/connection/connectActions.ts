import type { Snapshot } from '../store/snapshot.ts';

const WAYS = ['openOwnConnection', 'switchConnection', 'addConnection', 'startDemo'] as const;

export type ConnectAction = (typeof WAYS)[number];

/**
 * Returns the actions for an item whose connection isn't open: open that connection if it's stored; otherwise choose
 * another if there is one; otherwise add one or start the demo.
 * @param id the ID of the item's connection
 */
export function connectActions(
  {
    connection,
    connectionCount,
    connectionNames,
  }: Pick<Snapshot, 'connection' | 'connectionCount' | 'connectionNames'>,
  id: string,
): readonly ConnectAction[] {
  if (connectionNames.has(id)) return ['openOwnConnection'];
  const isStoredOpen = 'info' in connection && !connection.info.isDemo;
  const others = connectionCount - (isStoredOpen ? 1 : 0);
  return others > 0 ? ['switchConnection'] : ['addConnection', 'startDemo'];
}

/** A click right before another connection opens must not act on that one, except to connect. */
export function isForOpenConnection({ connection }: Snapshot, id: string, act: string): boolean {
  const isOwn = 'info' in connection && connection.info.id === id;
  return isOwn || WAYS.some((way) => way === act);
}
