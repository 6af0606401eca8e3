import type { JsonObject } from '../api/decode.ts';
import type { PlaybackPolicy, Stream } from '../api/types.ts';
import { isSameJson } from '../util/sameJson.ts';
import type { Operation } from './store/snapshot.ts';

export type Change =
  | { readonly operation: 'renaming'; readonly name: string }
  | { readonly operation: 'settingPolicy'; readonly policy: PlaybackPolicy }
  | { readonly operation: 'settingTags'; readonly tags: JsonObject }
  | { readonly operation: 'settingRenditions'; readonly profiles: readonly unknown[] }
  | { readonly operation: Exclude<Operation, 'renaming' | 'settingPolicy' | 'settingTags' | 'settingRenditions'> };

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
    case 'settingPolicy':
      return isSameJson(stream.playbackPolicy, change.policy);
    case 'settingTags':
      return isSameJson(stream.tags ?? {}, change.tags);
    case 'settingRenditions':
      return isSameJson(stream.profiles, change.profiles);
    case 'endingBroadcast':
      return !stream.isActive;
    case 'deleting':
      return false;
  }
}
