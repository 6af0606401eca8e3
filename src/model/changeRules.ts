import type { Stream } from '../api/types.ts';
import { timeSince } from '../util/clock.ts';
import { isBlank } from '../util/text.ts';
import type { Change } from './changes.ts';
import type { Operation, Snapshot } from './store/snapshot.ts';
import { isPrivate } from './store/streams.ts';

/** live, liveRenditions: recording or renditions can't be changed while the stream is live. */
export type Obstacle =
  | 'childStream'
  | 'busy'
  | 'live'
  | 'liveRenditions'
  | 'alreadyOn'
  | 'alreadyOff'
  | 'notLive'
  | 'wentLive';

export type NameProblem = 'empty' | 'tooLong' | 'lines';

/** The service states no limit. Longer names can't be read, and this catches a pasted file. */
export const NAME_LENGTH_AT_MOST = 500;

/** Maximum age of the active streams for deciding about a change. Older ones are polled first. */
export const FRESH_FOR_MS = 30_000;

const ASKS_FOR_LIVE: ReadonlySet<Operation> = new Set([
  'turningRecordingOn',
  'turningRecordingOff',
  'settingRenditions',
  'suspending',
  'endingBroadcast',
  'deleting',
]);

/** Duplicates are allowed (src/api/README.md, Changes: the interface states nothing against them). */
export function problemOfStreamName(name: string): NameProblem | undefined {
  const trimmed = name.trim();
  if (isBlank(trimmed)) return 'empty';
  if (trimmed.length > NAME_LENGTH_AT_MOST) return 'tooLong';
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(trimmed) ? 'lines' : undefined;
}

/** Returns why an operation isn't allowed on a stream, or undefined if it is. `busy`: another operation is running. */
export function obstacleTo(operation: Operation, stream: Stream, isBusy: boolean): Obstacle | undefined {
  if (stream.parentId !== undefined) return 'childStream';
  if (isBusy) return 'busy';
  switch (operation) {
    case 'turningRecordingOn':
      return stream.isActive ? (stream.record ? 'alreadyOn' : 'live') : undefined;
    case 'turningRecordingOff':
      return stream.isActive ? (stream.record ? 'live' : 'alreadyOff') : undefined;
    case 'settingRenditions':
      return stream.isActive ? 'liveRenditions' : undefined;
    case 'endingBroadcast':
      return stream.isActive ? undefined : 'notLive';
    default:
      return undefined;
  }
}

/**
 * Whether it can't be undone, ends a broadcast, or cuts off its viewers (src/README.md, Rows, IDs, and settings are a
 * contract).
 */
export function needsConfirmation(change: Change, streams: readonly Stream[]): boolean {
  const { operation } = change;
  if (operation === 'deleting' || operation === 'endingBroadcast') return true;
  if (operation === 'suspending') return streams.some(({ isActive }) => isActive);
  return makesPrivate(change) && streams.some((stream) => stream.isActive && !isPrivate(stream));
}

/** Whether it's a policy that doesn't admit everyone. */
export function makesPrivate(change: Change): boolean {
  return change.operation === 'settingPolicy' && isPrivate({ playbackPolicy: change.policy });
}

/** Whether this could end a broadcast that isn't known yet. The stream is then read again right before the change. */
export function mayEndUnknownBroadcast(operation: Operation, { isActive, parentId }: Stream): boolean {
  return (operation === 'suspending' || operation === 'deleting') && !isActive && parentId === undefined;
}

/** Whether to poll the active streams first, because the operation depends on them and they are too old. */
export function needsPoll(operation: Operation, snapshot: Snapshot, now: number): boolean {
  return ASKS_FOR_LIVE.has(operation) && timeSince(snapshot.lists.active.loadedAt, now) > FRESH_FOR_MS;
}
