import { t } from '@vscode/l10n';
import type { Clip } from '../api/clips.ts';
import { isBeingMade } from '../model/store/sessions.ts';
import { formatClock, formatDate, type Reader } from '../util/dates.ts';
import { formatClipTimer, formatCount } from '../util/format.ts';
import { isBlank, oneLine } from '../util/text.ts';
import { failedLabel } from './labels.ts';
import { labeledText } from './names.ts';
import { FAILED, PROCESSING, type StateIcon } from './streams.ts';

/** Returns a clip's name, or otherwise the time when it was created, which isn't when its content was broadcast. */
export function clipName({ name, createdAt }: Clip, reader: Reader): string {
  if (!isBlank(name)) return oneLine(name);
  const [date, clock] = [formatDate(createdAt, reader), formatClock(createdAt, reader)];
  return date === undefined ? t('Unnamed clip') : t('Clip created {0}', `${date} ${clock}`);
}

/** "Created: Today 06:03": beside a clip, a time alone would be taken for that of its content. */
export function createdText(when: string | undefined): string | undefined {
  return when === undefined ? undefined : labeledText(createdLabel(), when);
}

export function createdLabel(): string {
  return t('Created');
}

/** Undefined if there are none. */
export function clipsText(count: number, { locale }: Reader): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? t('1 clip') : t('{0} clips', formatCount(count, locale) ?? '');
}

/** The state of a clip in a row: "0:30", "45%", or "failed". */
export function clipWord(clip: Clip): string | undefined {
  if (clip.phase === 'failed') return t('failed');
  if (isBeingMade(clip)) return progressText(clip) ?? t('processing');
  return clip.seconds === undefined ? undefined : formatClipTimer(clip.seconds);
}

export function clipIcon(clip: Clip): StateIcon {
  if (isBeingMade(clip)) return PROCESSING;
  return clip.phase === 'failed' ? FAILED : { id: 'device-camera-video' };
}

function progressText({ progress }: Clip): string | undefined {
  return progress === undefined ? undefined : `${Math.floor(Math.min(1, progress) * 100)}%`;
}

/** "0:30", "Processing (45%)", or "Failed". */
export function clipStatus(clip: Clip): string | undefined {
  if (clip.phase === 'failed') return failedLabel();
  if (!isBeingMade(clip)) return clipWord(clip);
  const progress = progressText(clip);
  return progress === undefined ? t('Processing') : t('Processing ({0})', progress);
}
