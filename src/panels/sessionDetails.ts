import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import { nameOfParent } from '../commands/messages.ts';
import { isRunningIn, type RecordingState, recordingState, sessionDuration } from '../model/store/sessions.ts';
import type { Snapshot } from '../model/store/snapshot.ts';
import { recordingWord } from '../tree/sessionRow.ts';
import { segmentsText } from '../tree/tooltip.ts';
import { formatDateTime, formatDayAndClock, type Reader } from '../util/dates.ts';
import { formatDuration } from '../util/format.ts';
import type { Button, Section, ShownDetails } from '../webview/details/messages.ts';
import { copy, type DetailsContext, known, renditionsSection } from './streamDetails.ts';
import { sessionTitle } from './tabTitles.ts';

export function sessionDetails(session: Session, context: DetailsContext): ShownDetails {
  const { snapshot, reader } = context;
  const state = recordingState(session, isRunningIn(snapshot, session));
  const word = recordingWord(session, state, reader);
  const duration = formatDuration(sessionDuration(session));
  return {
    kind: 'details',
    title: titleOfSession(session, snapshot, reader),
    state: state === 'running' || duration === undefined ? [word] : [word, duration],
    tone: state === 'running' ? 'live' : 'plain',
    buttons: sessionButtons(session, state),
    sections: [
      sessionSection(session, state, context),
      recordingSection(session, word),
      idsSection(session),
      renditionsSection(session.profiles, reader.locale),
    ],
  };
}

export function titleOfSession(session: Session, snapshot: Snapshot, reader: Reader): string {
  const start = formatDayAndClock(session.createdAt, reader) ?? t('Start not known');
  return sessionTitle(nameOfParent(session, snapshot), start);
}

function sessionButtons(session: Session, state: RecordingState): readonly Button[] {
  const { recordingUrl, mp4Url } = session;
  const isThere = recordingUrl !== undefined || mp4Url !== undefined;
  return [
    ...(isThere ? [{ label: t('Open Player'), act: 'openRecording' } as const] : []),
    ...(state === 'running' ? [{ label: t('Watch'), act: 'watchStream' } as const] : []),
    ...(isThere ? [{ label: t('Open in Browser'), act: 'openRecordingInBrowser' } as const] : []),
    ...(mp4Url === undefined ? [] : [{ label: t('Download MP4…'), act: 'downloadMp4' } as const]),
    { label: t('Open as JSON'), act: 'openSessionJson' },
  ];
}

function sessionSection(session: Session, state: RecordingState, { snapshot, reader }: DetailsContext): Section {
  const { createdAt, lastSeen, parentId } = session;
  const stream: Button = { label: t('Show'), hint: t('Show the details of the stream'), act: 'showStream' };
  return {
    id: 'session',
    heading: t('Session'),
    facts: known(
      {
        label: t('Stream'),
        value: nameOfParent(session, snapshot) ?? parentId,
        ...(parentId === undefined ? {} : { buttons: [stream] }),
      },
      { label: t('Start'), value: formatDateTime(createdAt, reader) ?? t('not known') },
      { label: t('Last data'), value: state === 'running' ? t('still running') : formatDateTime(lastSeen, reader) },
      { label: t('Duration'), value: formatDuration(sessionDuration(session)) ?? t('not known') },
      {
        label: t('Source'),
        value: segmentsText(session.sourceSegments, session.sourceSegmentsDuration, reader.locale),
      },
      {
        label: t('Transcoded'),
        value: segmentsText(session.transcodedSegments, session.transcodedSegmentsDuration, reader.locale),
      },
    ),
  };
}

function recordingSection({ record, recordingUrl, mp4Url }: Session, word: string): Section {
  const there = (url: string | undefined) => (url === undefined ? t('not there') : t('there'));
  return {
    id: 'recording',
    heading: t('Recording'),
    facts: [
      { label: t('Recorded'), value: record || recordingUrl !== undefined ? t('yes') : t('no') },
      { label: t('State'), value: word },
      {
        label: t('HLS'),
        value: there(recordingUrl),
        ...(recordingUrl === undefined ? {} : { buttons: [copy('copyRecordingUrl', t('HLS'))] }),
      },
      {
        label: t('MP4'),
        value: there(mp4Url),
        ...(mp4Url === undefined ? {} : { buttons: [copy('copyMp4Url', t('MP4'))] }),
      },
    ],
  };
}

function idsSection({ id, parentId, playbackId, projectId }: Session): Section {
  const withCopy = (act: Button['act'], label: string, value: string | undefined) => {
    return { label, value, isCode: true, buttons: [copy(act, label)] };
  };
  return {
    id: 'ids',
    heading: t('Identifiers'),
    facts: known(
      withCopy('copySessionId', t('Session ID'), id),
      withCopy('copyStreamId', t('Stream ID'), parentId),
      { label: t('Playback ID'), value: playbackId, isCode: true },
      { label: t('Project ID'), value: projectId, isCode: true },
    ),
  };
}
