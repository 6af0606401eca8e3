import { t } from '@vscode/l10n';
import type { Clip } from '../api/clips.ts';
import type { Named } from '../api/types.ts';
import { isBeingMade } from '../model/store/sessions.ts';
import type { Reader } from '../util/dates.ts';
import { formatCount, formatTimer } from '../util/format.ts';
import { isBlank, oneLine } from '../util/text.ts';
import { failedLabel } from './labels.ts';

export function clipName({ id, name }: Named): string {
  return isBlank(name) ? id : oneLine(name);
}

export function clipsText(count: number, { locale }: Reader): string {
  return count === 1 ? t('1 clip') : t('{0} clips', formatCount(count, locale) ?? '');
}

/** What a row says of a clip: "0:30", "45%", or "failed". */
export function clipWord(clip: Clip): string | undefined {
  if (clip.phase === 'failed') return t('failed');
  if (isBeingMade(clip)) return progressText(clip) ?? t('processing');
  return clip.seconds === undefined ? undefined : formatTimer(clip.seconds);
}

/** The same on a page: "0:30", "Processing (45%)", or "Failed". */
export function clipStatus(clip: Clip): string | undefined {
  if (clip.phase === 'failed') return failedLabel();
  if (!isBeingMade(clip)) return clipWord(clip);
  const progress = progressText(clip);
  return progress === undefined ? t('Processing') : t('Processing ({0})', progress);
}

function progressText({ progress }: Clip): string | undefined {
  return progress === undefined ? undefined : `${Math.floor(Math.min(1, progress) * 100)}%`;
}
