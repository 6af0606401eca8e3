import { isKnownEmptyOfRecordings } from '../model/store/recordings.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { hasNoStreams } from '../model/store/streams.ts';

export type ViewContext = 'starting' | 'waiting' | 'none' | 'keyless' | 'empty' | 'loaded';

export function streamsContext(snapshot: Snapshot): ViewContext {
  return contextOf(snapshot, isAccountEmpty);
}

export function recordingsContext(snapshot: Snapshot): ViewContext {
  return contextOf(snapshot, isKnownEmptyOfRecordings);
}

/** Whether the account is known to have no streams. The tree is then empty, so that the welcome shows. */
export function isAccountEmpty(snapshot: Snapshot): boolean {
  const { orphans, showsChildStreams } = snapshot;
  const isWithoutOrphans = orphans.isLoaded && orphans.items.length === 0 && !orphans.hasNextPage;
  return hasNoStreams(snapshot) && (!showsChildStreams || isWithoutOrphans);
}

function contextOf(snapshot: Snapshot, isEmpty: (snapshot: Snapshot) => boolean): ViewContext {
  const { connection } = snapshot;
  const { kind } = connection;
  if (kind === 'starting') return connection.isWaiting === true ? 'waiting' : kind;
  if (kind === 'none' || kind === 'keyless') return kind;
  return kind === 'open' && isEmpty(snapshot) ? 'empty' : 'loaded';
}
