import type { StreamApi } from '../api/streamApi.ts';
import type { Stream } from '../api/types.ts';
import { timeSince } from '../util/age.ts';
import { isBlank } from '../util/text.ts';
import type { Operation, Snapshot } from './store/snapshot.ts';

/** A change to a stream that is there, named as its row says it while the change runs. */
export type Change =
  | { readonly operation: 'renaming'; readonly name: string }
  | { readonly operation: Exclude<Operation, 'renaming'> };

/** Why a change is not asked of the service. */
export type Obstacle = 'historic' | 'busy' | 'live' | 'already' | 'notLive' | 'wentLive';

/** Why this cannot be a stream's name. */
export type NameProblem = 'empty' | 'tooLong' | 'lines';

/** The service states no limit; people cannot read more, and somebody who pastes a file should hear of it. */
export const NAME_LENGTH_AT_MOST = 500;

/** What is known of live streams decides what is asked and refused: older knowledge than this is renewed before. */
export const FRESH_FOR_MS = 30_000;

/** Operations whose rules ask whether a stream is live. */
const ASKS_FOR_LIVE: ReadonlySet<Operation> = new Set([
  'turningRecordingOn',
  'turningRecordingOff',
  'suspending',
  'endingBroadcast',
  'deleting',
]);

/** What is wrong with a stream's name; duplicates are allowed (src/api/README.md, Changes: the interface states nothing against them). */
export function problemOfStreamName(name: string): NameProblem | undefined {
  const trimmed = name.trim();
  if (isBlank(trimmed)) return 'empty';
  if (trimmed.length > NAME_LENGTH_AT_MOST) return 'tooLong';
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(trimmed) ? 'lines' : undefined;
}

/** Why this may not be done to a stream, as it is known; `undefined` when it may. `busy`: something else runs on it. */
export function obstacleTo(operation: Operation, stream: Stream, isBusy: boolean): Obstacle | undefined {
  if (stream.parentId !== undefined) return 'historic';
  if (isBusy) return 'busy';
  switch (operation) {
    case 'turningRecordingOn':
    case 'turningRecordingOff':
      if (!stream.isActive) return undefined;
      return stream.record === (operation === 'turningRecordingOn') ? 'already' : 'live';
    case 'endingBroadcast':
      return stream.isActive ? undefined : 'notLive';
    default:
      return undefined;
  }
}

/** Is this asked about first? What cannot be taken back, and what ends a broadcast (src/README.md, Rows, ids and settings are a contract). */
export function needsConfirmation(operation: Operation, streams: readonly Stream[]): boolean {
  if (operation === 'deleting' || operation === 'endingBroadcast') return true;
  return operation === 'suspending' && streams.some((stream) => stream.isActive);
}

/** Would this end a broadcast that nobody knew of when it was asked for? Then the stream is read again just before. */
export function mayEndUnknownBroadcast(operation: Operation, { isActive, parentId }: Stream): boolean {
  return (operation === 'suspending' || operation === 'deleting') && !isActive && parentId === undefined;
}

/** Should the live streams be looked at before, because this depends on them and what is known of them is old? */
export function needsFreshLook(operation: Operation, snapshot: Snapshot, now: number): boolean {
  return ASKS_FOR_LIVE.has(operation) && timeSince(snapshot.lists.active.loadedAt, now) > FRESH_FOR_MS;
}

/** Asks the service for it, once. Throws ApiError. */
export function sendChange(
  api: Pick<StreamApi, 'patchStream' | 'endBroadcast' | 'deleteStream'>,
  id: string,
  change: Change,
): Promise<void> {
  switch (change.operation) {
    case 'renaming':
      return api.patchStream(id, { name: change.name });
    case 'turningRecordingOn':
      return api.patchStream(id, { record: true });
    case 'turningRecordingOff':
      return api.patchStream(id, { record: false });
    case 'suspending':
      return api.patchStream(id, { suspended: true });
    case 'resuming':
      return api.patchStream(id, { suspended: false });
    case 'endingBroadcast':
      return api.endBroadcast(id);
    case 'deleting':
      return api.deleteStream(id);
  }
}

/** Is the change in what was read back? `undefined` is a stream that is gone: a deletion then has happened, and nothing else. */
export function showsChange(change: Change, stream: Stream | undefined): boolean {
  if (stream === undefined) return change.operation === 'deleting';
  switch (change.operation) {
    case 'renaming':
      return stream.name === change.name;
    case 'turningRecordingOn':
      return stream.record;
    case 'turningRecordingOff':
      return !stream.record;
    // After suspending, isActive stays true for a while (src/api/README.md, Changes).
    case 'suspending':
      return stream.suspended === true;
    case 'resuming':
      return stream.suspended !== true;
    case 'endingBroadcast':
      return !stream.isActive;
    case 'deleting':
      return false;
  }
}
