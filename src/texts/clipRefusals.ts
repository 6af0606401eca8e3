import { t } from '@vscode/l10n';
import { nameService } from '../api/describeError.ts';
import {
  type ClipBounds,
  type ClipRange,
  type ClipSource,
  clipTimes,
  type RangeFault,
  sourceLength,
} from '../model/clips/clipRange.ts';
import { formatTimer } from '../util/format.ts';
import { Refusal } from './refusal.ts';

export function clipsNotOffered(service: string | undefined): Refusal {
  return new Refusal(nameService(service, (name) => t("{0} doesn't support clips.", name)));
}

export function clipIsGone(): Refusal {
  return new Refusal(t('This clip no longer exists.'));
}

/** Returns when a clip starts and ends, or why it can't be cut. */
export function clipBounds(range: ClipRange, source: ClipSource): ClipBounds | string {
  const times = clipTimes(range, source);
  return typeof times === 'string' ? rangeSentence(times, source) : times;
}

/** Returns why a clip can't be cut. */
export function rangeSentence(fault: RangeFault, source: ClipSource): string {
  switch (fault) {
    case 'noTime':
      return t('Enter a time such as 1:30.');
    case 'reversed':
      return t('The end time must be later than the start time.');
    case 'tooLong': {
      const length = sourceLength(source);
      return length === undefined
        ? t('The clip is longer than the recording.')
        : t('The clip extends past the end of the recording, which is {0} long.', formatTimer(length));
    }
    case 'unknownTimes':
      return t('The start of this broadcast is still unknown. Try again in a moment.');
  }
}
