import { isKnownEmptyOfRecordings } from '../model/store/recordings.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { isAccountEmpty } from '../model/store/streams.ts';

export type ViewContext = 'starting' | 'waiting' | 'none' | 'keyless' | 'empty' | 'loaded';

export function streamsContext(snapshot: Snapshot): ViewContext {
  return contextOf(snapshot, isAccountEmpty);
}

export function recordingsContext(snapshot: Snapshot): ViewContext {
  return contextOf(snapshot, isKnownEmptyOfRecordings);
}

function contextOf(snapshot: Snapshot, isEmpty: (snapshot: Snapshot) => boolean): ViewContext {
  const { connection } = snapshot;
  const { kind } = connection;
  if (kind === 'starting') return connection.isWaiting === true ? 'waiting' : kind;
  if (kind === 'none' || kind === 'keyless') return kind;
  return kind === 'open' && isEmpty(snapshot) ? 'empty' : 'loaded';
}
