import { t } from '@vscode/l10n';
import type { Session } from '../../api/types.ts';
import type { RecordingState } from '../../model/store/sessions.ts';
import { oneLine } from '../../util/text.ts';

export function whyNoRecording(state: RecordingState, session: Pick<Session, 'recordingStatus'>): string {
  switch (state) {
    case 'notRecorded':
      return t('This session was not recorded.');
    case 'running':
      return t('This session is still running. Its recording comes after it ends.');
    case 'waiting':
      return t('The recording of this session is still being processed. Try again in a few minutes.');
    case 'failed':
      return t('The recording of this session failed.');
    case 'deleted':
      return t('The recording of this session was deleted.');
    case 'none':
      return t('No recording was made of this session.');
    case 'ready':
      return t('The service says that the recording is ready, but gave no address.');
    case 'unknown':
      return session.recordingStatus === undefined
        ? t('The service gave no address for the recording of this session.')
        : t('The service gave no address for the recording of this session. It calls it "{0}".', short(session));
  }
}

function short({ recordingStatus }: Pick<Session, 'recordingStatus'>): string {
  return oneLine(recordingStatus ?? '', 40);
}
