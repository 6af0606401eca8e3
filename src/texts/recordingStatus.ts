import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import { isBeingRecorded, type RecordingState } from '../model/store/sessions.ts';
import type { Reader } from '../util/dates.ts';
import { processingTime } from './sessions.ts';

/** The same where a heading says that it is about recordings: "Ready", "Processing (4 min)", "In progress". */
export function recordingStatusText(session: Session, state: RecordingState, { now }: Reader): string {
  switch (state) {
    case 'running':
      return isBeingRecorded(session) ? t('In progress') : t('Not recorded');
    case 'waiting': {
      const duration = processingTime(session, { now });
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
