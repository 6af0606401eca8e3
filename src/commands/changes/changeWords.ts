import { t } from '@vscode/l10n';
import { NAME_LENGTH_AT_MOST, type NameProblem, type Obstacle } from '../../model/changes.ts';
import type { Operation } from '../../model/store/snapshot.ts';

/** Texts for a change. Names are already cut to one line. Only `notOffered` is a sentence with a full stop. */
interface ChangeWords {
  readonly title: () => string;
  readonly doing: (count: number) => string;
  readonly done: (name: string) => string;
  readonly doneMany: (count: number) => string;
  readonly doneSome: (count: number, of: number) => string;
  readonly notOffered: (service: string) => string;
}

export const CHANGE_WORDS: Readonly<Record<Operation, ChangeWords>> = {
  renaming: {
    title: () => t('Rename Stream'),
    doing: (count) => t('Renaming {0} streams', count),
    done: (name) => t('Renamed the stream to "{0}"', name),
    doneMany: (count) => t('Renamed {0} streams', count),
    doneSome: (count, of) => t('Renamed {0} of {1} streams', count, of),
    notOffered: (service) => t('{0} does not offer to rename streams.', service),
  },
  turningRecordingOn: {
    title: () => t('Turn On Recording'),
    doing: (count) => t('Turning on recording for {0} streams', count),
    done: (name) => t('Turned on recording for "{0}"', name),
    doneMany: (count) => t('Turned on recording for {0} streams', count),
    doneSome: (count, of) => t('Turned on recording for {0} of {1} streams', count, of),
    notOffered: (service) => t('{0} does not offer to turn recording on or off.', service),
  },
  turningRecordingOff: {
    title: () => t('Turn Off Recording'),
    doing: (count) => t('Turning off recording for {0} streams', count),
    done: (name) => t('Turned off recording for "{0}"', name),
    doneMany: (count) => t('Turned off recording for {0} streams', count),
    doneSome: (count, of) => t('Turned off recording for {0} of {1} streams', count, of),
    notOffered: (service) => t('{0} does not offer to turn recording on or off.', service),
  },
  suspending: {
    title: () => t('Suspend Stream'),
    doing: (count) => t('Suspending {0} streams', count),
    done: (name) => t('Suspended "{0}"', name),
    doneMany: (count) => t('Suspended {0} streams', count),
    doneSome: (count, of) => t('Suspended {0} of {1} streams', count, of),
    notOffered: (service) => t('{0} does not offer to suspend streams.', service),
  },
  resuming: {
    title: () => t('Resume Stream'),
    doing: (count) => t('Resuming {0} streams', count),
    done: (name) => t('Resumed "{0}"', name),
    doneMany: (count) => t('Resumed {0} streams', count),
    doneSome: (count, of) => t('Resumed {0} of {1} streams', count, of),
    notOffered: (service) => t('{0} does not offer to resume streams.', service),
  },
  endingBroadcast: {
    title: () => t('End Broadcast'),
    doing: (count) => t('Ending {0} broadcasts', count),
    done: (name) => t('Ended the broadcast of "{0}"', name),
    doneMany: (count) => t('Ended {0} broadcasts', count),
    doneSome: (count, of) => t('Ended {0} of {1} broadcasts', count, of),
    notOffered: (service) => t('{0} does not offer to end broadcasts.', service),
  },
  deleting: {
    title: () => t('Delete Stream'),
    doing: (count) => t('Deleting {0} streams', count),
    done: (name) => t('Deleted "{0}"', name),
    doneMany: (count) => t('Deleted {0} streams', count),
    doneSome: (count, of) => t('Deleted {0} of {1} streams', count, of),
    notOffered: (service) => t('{0} does not offer to delete streams.', service),
  },
};

/** Why a change wasn't requested, as sentences: for one stream by name, and for several that were named before. */
export const OBSTACLE_WORDS: Readonly<
  Record<Obstacle, { readonly one: (name: string) => string; readonly some: () => string }>
> = {
  live: {
    one: (name) => t('Recording of "{0}" cannot be changed while it is live.', name),
    some: () => t('Recording cannot be changed while a stream is live.'),
  },
  already: {
    one: (name) => t('Recording of "{0}" is so already.', name),
    some: () => t('Recording is so already.'),
  },
  wentLive: {
    one: (name) => t('"{0}" went live meanwhile, so it was left as it is.', name),
    some: () => t('Went live meanwhile, so left as they are.'),
  },
  notLive: {
    one: (name) => t('"{0}" is not live.', name),
    some: () => t('Not live.'),
  },
  busy: {
    one: (name) => t('Another change of "{0}" is under way. Wait until it is done.', name),
    some: () => t('Another change is under way.'),
  },
  historic: {
    one: (name) => t('"{0}" is a historic child stream. These cannot be changed.', name),
    some: () => t('Historic child streams cannot be changed.'),
  },
};

export const NAME_PROBLEM_WORDS: Readonly<Record<NameProblem, () => string>> = {
  empty: () => t('Enter a name.'),
  tooLong: () => t('Enter a shorter name, at most {0} characters.', NAME_LENGTH_AT_MOST),
  lines: () => t('Enter a name of one line.'),
};
