import { t } from '@vscode/l10n';
import type { Clip } from '../api/clips.ts';
import { isBeingMade } from '../model/store/sessions.ts';
import { formatClock, formatDate, type Reader } from '../util/dates.ts';
import { formatCount, formatTimer } from '../util/format.ts';
import { isBlank, oneLine } from '../util/text.ts';

/** One without a name is called by the time at which it was created: "Clip from Nov 26 04:15". */
export function clipName({ name, createdAt }: Clip, reader: Reader): string {
  if (!isBlank(name)) return oneLine(name);
  const [date, clock] = [formatDate(createdAt, reader), formatClock(createdAt, reader)];
  return date === undefined ? t('Unnamed clip') : t('Clip from {0}', `${date} ${clock}`);
}

/** Undefined if there are none. */
export function clipsText(count: number, { locale }: Reader): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? t('1 clip') : t('{0} clips', formatCount(count, locale) ?? '');
}

/** What a row says of a clip: "0:30", "45%", or "failed". */
export function clipWord(clip: Clip): string | undefined {
  if (clip.phase === 'failed') return t('failed');
  if (isBeingMade(clip)) return progressText(clip) ?? t('processing');
  return clip.seconds === undefined ? undefined : formatTimer(clip.seconds);
}

export function progressText({ progress }: Clip): string | undefined {
  return progress === undefined ? undefined : `${Math.floor(Math.min(1, progress) * 100)}%`;
}
