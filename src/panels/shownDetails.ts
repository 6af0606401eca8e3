import { t } from '@vscode/l10n';
import type { Session } from '../api/types.ts';
import type { CommandContext } from '../commands/context.ts';
import { templatesInForce } from '../commands/knownAddresses.ts';
import { nameOfParent } from '../commands/messages.ts';
import { knownStream } from '../commands/targets/streamTargets.ts';
import { isRunningIn, type RecordingState, recordingState, sessionDuration } from '../model/store/sessions.ts';
import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { recordingWord } from '../tree/sessionRow.ts';
import { segmentsText } from '../tree/tooltip.ts';
import { formatDateTime, formatDayAndClock, type Reader } from '../util/dates.ts';
import { formatDuration } from '../util/format.ts';
import type { Button, Section, Shown, ShownDetails } from '../webview/details/messages.ts';
import { knownSession, type SubjectParts } from './detailsSubject.ts';
import { type NotOpen, whyNotOpen } from './ownConnection.ts';
import { copy, type DetailsContext, known, renditionsSection, streamDetails } from './streamDetails.ts';
import { sessionTitle } from './tabTitles.ts';

type Context = Pick<CommandContext, 'store' | 'settings' | 'demo' | 'current' | 'drawing'>;

interface ShownParts extends SubjectParts {
  readonly trouble: string | undefined;
}

/** Returns the page's content by what is known, or why there is none. Sends no request. */
export function shownDetails(context: Context, parts: ShownParts): Shown {
  const { target, name, trouble } = parts;
  const { snapshot } = context.store;
  const title = name !== '' ? name : target.kind === 'stream' ? t('Stream') : t('Session');
  const why = whyNotOpen(snapshot, target);
  if (why !== undefined) {
    return notice(title, why.sentence ?? t('Loading…'), ...why.ways.map((act) => ({ label: WAY_LABELS[act](), act })));
  }
  const host = URL.parse(context.current.info?.baseUrl ?? '')?.host ?? '';
  const made = { snapshot, reader: context.drawing(), templates: templatesInForce(context), host };
  const fact = target.kind === 'stream' ? factOf(context, target.id) : undefined;
  if (fact !== undefined) return streamDetails(fact, { ...made, hlsUrl: parts.hlsUrl });
  const session = target.kind === 'session' ? knownSession(snapshot, parts) : undefined;
  if (session !== undefined) return sessionDetails(session, made);
  if (trouble === undefined) return notice(title, t('Loading…'));
  return notice(title, trouble, { label: t('Retry'), act: 'retry' });
}

const WAY_LABELS: Readonly<Record<NotOpen['ways'][number], () => string>> = {
  setApiKey: () => t('Set API Key…'),
  switchConnection: () => t('Switch Connection…'),
  addConnection: () => t('Connect to a Service…'),
  startDemo: () => t('Try the Demo'),
};

/** Returns what is known of a stream. Child streams are not among the store's streams. */
export function factOf(context: Pick<CommandContext, 'store' | 'drawing'>, id: string): StreamFact | undefined {
  const known = context.store.snapshot.streams.get(id);
  if (known !== undefined) return known;
  const child = knownStream(context, id);
  const { now } = context.drawing();
  return child && { stream: child, turn: 0, startedAt: now, serverDate: now };
}

function notice(title: string, sentence: string, ...buttons: readonly Button[]): Shown {
  return { kind: 'notice', title, sentence, buttons };
}

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
  const start = formatDayAndClock(session.createdAt, reader) ?? t('Unknown start time');
  return sessionTitle(nameOfParent(session, snapshot), start);
}

function sessionButtons(session: Session, state: RecordingState): readonly Button[] {
  const { recordingUrl, mp4Url } = session;
  const isThere = recordingUrl !== undefined || mp4Url !== undefined;
  return [
    ...(isThere ? [{ label: t('Watch Recording'), act: 'openRecording' } as const] : []),
    ...(state === 'running' ? [{ label: t('Watch'), act: 'watchStream' } as const] : []),
    ...(isThere ? [{ label: t('Watch in Browser'), act: 'openRecordingInBrowser' } as const] : []),
    ...(mp4Url === undefined ? [] : [{ label: t('Download MP4…'), act: 'downloadMp4' } as const]),
    { label: t('Open as JSON'), act: 'openSessionJson' },
  ];
}

function sessionSection(session: Session, state: RecordingState, { snapshot, reader }: DetailsContext): Section {
  const { createdAt, lastSeen, parentId } = session;
  const stream: Button = { label: t('Show Details'), hint: t('Show stream details'), act: 'showStream' };
  return {
    id: 'session',
    heading: t('Session'),
    facts: known(
      {
        label: t('Stream'),
        value: nameOfParent(session, snapshot) ?? parentId,
        ...(parentId === undefined ? {} : { buttons: [stream] }),
      },
      { label: t('Start'), value: formatDateTime(createdAt, reader) ?? t('Unknown') },
      { label: t('End'), value: state === 'running' ? t('In progress') : formatDateTime(lastSeen, reader) },
      { label: t('Duration'), value: formatDuration(sessionDuration(session)) ?? t('Unknown') },
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
  const there = (url: string | undefined) => (url === undefined ? t('Not available') : t('Available'));
  return {
    id: 'recording',
    heading: t('Recording'),
    facts: [
      { label: t('Recorded'), value: record || recordingUrl !== undefined ? t('Yes') : t('No') },
      { label: t('State'), value: word },
      {
        label: t('HLS URL'),
        value: there(recordingUrl),
        ...(recordingUrl === undefined ? {} : { buttons: [copy('copyRecordingUrl', t('HLS URL'))] }),
      },
      {
        label: t('MP4 URL'),
        value: there(mp4Url),
        ...(mp4Url === undefined ? {} : { buttons: [copy('copyMp4Url', t('MP4 URL'))] }),
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
    heading: t('IDs'),
    facts: known(
      withCopy('copySessionId', t('Session ID'), id),
      withCopy('copyStreamId', t('Stream ID'), parentId),
      { label: t('Playback ID'), value: playbackId, isCode: true },
      { label: t('Project ID'), value: projectId, isCode: true },
    ),
  };
}
