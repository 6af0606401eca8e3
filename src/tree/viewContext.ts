import { isKnownEmptyOfRecordings } from '../model/recordings.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { isKnownEmpty } from '../model/streams.ts';

/** Which welcome is due in a view, if it is empty. */
export type ViewContext = 'starting' | 'none' | 'keyless' | 'empty' | 'loaded';

export function streamsContext(snapshot: Snapshot): ViewContext {
  return contextOf(snapshot, isAccountEmpty);
}

export function recordingsContext(snapshot: Snapshot): ViewContext {
  return contextOf(snapshot, isKnownEmptyOfRecordings);
}

/** Is there surely nothing in this account? Then the tree is empty, so that the welcome shows. */
export function isAccountEmpty(snapshot: Snapshot): boolean {
  const { lists, streams, filter, showsHistoricChildStreams } = snapshot;
  if (filter !== '' || showsHistoricChildStreams || streams.size > 0) return false;
  return isKnownEmpty(lists.active) && isKnownEmpty(lists.idle);
}

function contextOf(snapshot: Snapshot, isEmpty: (snapshot: Snapshot) => boolean): ViewContext {
  const { kind } = snapshot.connection;
  if (kind === 'starting' || kind === 'none' || kind === 'keyless') return kind;
  return kind === 'open' && isEmpty(snapshot) ? 'empty' : 'loaded';
}
