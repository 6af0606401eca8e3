import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import { isBeingRecorded, type RecordingState } from '../model/store/sessions.ts';
import type { Reader } from '../util/dates.ts';
import { hasText } from '../util/text.ts';
import { processingTime, recordingWord } from './sessions.ts';

/**
 * The state of a recording below a heading about recordings: "Ready", "Ready · no MP4 yet", "Processing (4 min)", "In
 * progress".
 */
export function recordingStatusText(session: Session, state: RecordingState, reader: Reader): string {
  switch (state) {
    case 'running':
      return isBeingRecorded(session) ? t('In progress') : t('Not recorded');
    case 'waiting': {
      if (hasText(session.recordingUrl)) return `${t('Ready')} · ${recordingWord(session, state, reader)}`;
      const duration = processingTime(session, reader);
      return duration === undefined ? t('Processing') : t('Processing ({0})', duration);
    }
    case 'ready':
      return t('Ready');
    case 'failed':
      return t('Failed');
    case 'deleted':
      return t('Deleted');
    case 'none':
    case 'notRecorded':
      return t('Not recorded');
    case 'unknown':
      return session.recordingStatus === undefined ? t('Recorded') : t('Status unknown');
  }
}
