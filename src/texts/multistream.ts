import { t } from '@vscode/l10n';
import { nameService } from '../api/describeError.ts';
import type { Stream } from '../api/types.ts';
import { sentenceOfCredentials, sentenceOfInvalidUrl } from '../model/connection/baseUrl.ts';
import {
  type KeyFault,
  SOURCE_PROFILE,
  type TargetService,
  type TargetUrlFault,
} from '../model/multistream/targetUrl.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { oneLine } from '../util/text.ts';
import { nameOf } from './names.ts';
import { Refusal } from './refusal.ts';

const LONGEST_NAME = 60;

export function profileName(profile: string): string {
  return profile === SOURCE_PROFILE ? t('Source') : oneLine(profile, LONGEST_NAME);
}

/** Returns the names of the streams that are known to have a target, except the given one. */
export function othersWithTarget({ streams }: Snapshot, targetId: string, streamId?: string): readonly string[] {
  return [...streams.values()]
    .map(({ stream }) => stream)
    .filter(({ id, targets = [] }) => id !== streamId && targets.some((target) => target.id === targetId))
    .map((stream) => nameOf(stream));
}

/** Returns the names of the targets that receive a stream's broadcasts. One that isn't loaded may be on. */
export function namesOfSendingTargets({ targets }: Snapshot, stream: Stream): readonly string[] {
  return (stream.targets ?? [])
    .map(({ id }) => targets.get(id) ?? { id, name: '', isDisabled: false })
    .filter(({ isDisabled }) => !isDisabled)
    .map((target) => nameOf(target));
}

export function multistreamNotOffered(service: string | undefined): Refusal {
  return new Refusal(nameService(service, (name) => t("{0} doesn't support multistream targets.", name)));
}

/** The services' own names, in every language. */
export const TARGET_SERVICES: Readonly<Record<TargetService, string>> = {
  youtube: 'YouTube',
  twitch: 'Twitch',
  facebook: 'Facebook',
};

export function targetUrlFaultText(fault: TargetUrlFault): string {
  switch (fault) {
    case 'empty':
      return t('Enter a URL.');
    case 'notUrl':
      return sentenceOfInvalidUrl('rtmps://example.com/live/KEY');
    case 'scheme':
      return t('The URL must start with rtmp://, rtmps://, or srt://.');
    case 'credentials':
      return sentenceOfCredentials();
    case 'noPath':
    case 'noKey':
      return t('The stream key is missing at the end of the URL.');
  }
}

/** Like `targetUrlFaultText`, for a URL without the stream key. */
export function targetServerFaultText(fault: TargetUrlFault): string {
  return fault === 'notUrl' || fault === 'noPath'
    ? t('Enter a URL like {0}.', 'rtmps://example.com/live')
    : targetUrlFaultText(fault);
}

export function targetKeyFaultText(fault: KeyFault): string {
  switch (fault) {
    case 'empty':
      return t('Enter a stream key.');
    case 'url':
      return t('Enter only the stream key, without the URL.');
    case 'characters':
      return t("A stream key can't contain spaces or special characters.");
  }
}
