import { t } from '@vscode/l10n';
import type { Session, Stream } from '../api/types.ts';
import { knownStream } from '../model/childStreams/childStreams.ts';
import { templatesInForce } from '../model/connection/knownAddresses.ts';
import type { ModelContext } from '../model/context.ts';
import {
  isBeingRecorded,
  isRunningIn,
  type RecordingState,
  recordingState,
  sessionDuration,
} from '../model/store/sessions.ts';
import type { Snapshot, StreamFact } from '../model/store/snapshot.ts';
import { liveLabel, loadingLabel, playbackIdLabel, recordingLabel, retryLabel, watchLabel } from '../texts/labels.ts';
import { nameOfParent } from '../texts/names.ts';
import { recordingStatusText } from '../texts/recordingStatus.ts';
import { liveText, recordingPhrase, unknownStartText } from '../texts/sessions.ts';
import { formatDateTime, formatDayAndClock, type Reader } from '../util/dates.ts';
import { formatDuration } from '../util/format.ts';
import type { Button, Fact, Menu, Section, Shown, ShownDetails } from '../webview/details/messages.ts';
import { type DetailsState, knownSession } from './detailsModel.ts';
import { connectionProblem, WAY_LABELS } from './ownConnection.ts';
import { renditionsSections } from './sections/renditions.ts';
import { leftSessions, toneOfRecording } from './shownSessions.ts';
import {
  copy,
  type DetailsContext,
  issuesOf,
  known,
  receptionWords,
  recordingStateWord,
  streamDetails,
  transcoded,
} from './streamDetails.ts';
import { sessionTitle } from './tabTitles.ts';

type Context = ModelContext;

interface ShownParts extends DetailsState {
  readonly trouble: string | undefined;
  /** Whether loading again may help. */
  readonly canRecover: boolean;
  /** Whether the page is shown again and the service has not responded yet: states are those of the last response. */
  readonly isOld?: boolean;
  /** Whether a player is open, to which Watch leads. */
  readonly hasPlayer?: boolean;
  /** Whether the recording of a session's page isn't where the service says. */
  readonly isRecordingMissing?: boolean;
}

/** Returns the page's content by what is known, or why there is none. Sends no request. */
export function shownDetails(context: Context, parts: ShownParts): Shown {
  const { target, trouble, canRecover } = parts;
  const { snapshot } = context.store;
  const title = noticeTitle(parts);
  const why = connectionProblem(snapshot, target);
  if (why !== undefined) {
    return notice(title, why.sentence ?? loadingLabel(), ...why.ways.map((act) => ({ label: WAY_LABELS[act](), act })));
  }
  const drawn = context.drawing();
  const readerOf = (readAt: number | undefined): Reader =>
    parts.isOld === true && readAt !== undefined ? { ...drawn, now: Math.min(drawn.now, readAt) } : drawn;
  const made = { snapshot, reader: drawn, templates: templatesInForce(context) };
  const fact = target.kind === 'stream' ? factOf(context, target.id) : undefined;
  if (fact !== undefined) {
    const readers = {
      reader: readerOf(fact.startedAt),
      sessionsReader: readerOf(snapshot.sessions.get(target.id)?.loadedAt),
    };
    const { hlsUrl, health, hasPlayer } = parts;
    return streamDetails(fact, { ...made, ...readers, hlsUrl, health, hasPlayer });
  }
  const session = target.kind === 'session' ? knownSession(snapshot, parts) : undefined;
  if (session !== undefined) {
    return sessionDetails(session, { ...made, reader: readerOf(sessionReadAt(snapshot, parts)) }, parts);
  }
  if (trouble === undefined) return notice(title, loadingLabel());
  if (canRecover) return notice(title, trouble, { label: retryLabel(), act: 'retry' });
  const sessions = leftSessions(snapshot, { streamId: target.id, sessions: parts.formerSessions ?? [] }, made.reader);
  return { ...notice(title, trouble), sessions };
}

function sessionReadAt(
  { sessions, recordings }: Snapshot,
  { target, session, readAt }: ShownParts,
): number | undefined {
  const listed = session?.parentId === undefined ? undefined : sessions.get(session.parentId);
  const lists = [listed, recordings].filter((list) => list?.items.some(({ id }) => id === target.id));
  const times = [readAt, ...lists.map((list) => list?.loadedAt)].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** The start of a session isn't known before the session is. */
function noticeTitle({ target, name }: ShownParts): string {
  return target.kind === 'stream' ? name || t('Stream') : sessionTitle(name, t('Session'));
}

/** Returns what is known of a stream. Child streams are not among the store's streams. */
export function factOf(context: ModelContext, id: string): StreamFact | undefined {
  const known = context.store.snapshot.streams.get(id);
  if (known !== undefined) return known;
  const child = knownStream(context, id);
  const { now } = context.drawing();
  return child && { stream: child, requestSeq: 0, startedAt: now, serverDate: now };
}

function notice(title: string, sentence: string, ...buttons: readonly Button[]) {
  return { kind: 'notice', title, sentence, buttons } as const;
}

export function sessionDetails(
  session: Session,
  context: DetailsContext,
  { isRecordingMissing = false }: Pick<ShownParts, 'isRecordingMissing'> = {},
): ShownDetails {
  const { snapshot, reader } = context;
  const state = recordingState(session, isRunningIn(snapshot, session));
  const duration = state === 'running' ? undefined : formatDuration(sessionDuration(session));
  const isMissing = state === 'ready' && isRecordingMissing;
  const live = state === 'running' ? liveStreamOf(session, snapshot) : undefined;
  const phrase = state === 'running' ? liveText(session, reader.now) : recordingPhrase(session, state, reader);
  const text = isMissing ? t('Recording not found') : phrase;
  return {
    kind: 'details',
    title: titleOfSession(session, snapshot, reader),
    state: [
      { text, tone: isMissing ? 'failed' : toneOfRecording(state) },
      ...(state === 'running' && isBeingRecorded(session) ? [recordingStateWord()] : []),
      ...(live === undefined ? [] : receptionWords(live, reader.locale)),
      ...(duration === undefined ? [] : [{ text: duration }]),
    ],
    announced: ANNOUNCED[state]?.() ?? text,
    issues: live === undefined ? [] : issuesOf(live),
    hasPicture: hasText(live?.playbackId),
    hasPlayer: isThere(session) || MAY_COME.has(state),
    buttons: isMissing ? [] : sessionButtons(session, state),
    menu: sessionMenu(session, live, snapshot),
    sections: [sessionSection(session, state, context)],
    more: [idsSection(session), ...renditionsSections(session.profiles, reader.locale)],
  };
}

/** The states whose words hold a time that changes. */
const ANNOUNCED: Readonly<Partial<Record<RecordingState, () => string>>> = {
  running: liveLabel,
  waiting: () => t('Processing recording'),
};

export function titleOfSession(session: Session, snapshot: Snapshot, reader: Reader): string {
  const start = formatDayAndClock(session.createdAt, reader) ?? unknownStartText();
  return sessionTitle(nameOfParent(session, snapshot), start);
}

/** States in which a recording may still come. In the others, the line about the state says all there is to say. */
const MAY_COME: ReadonlySet<RecordingState> = new Set(['waiting', 'ready', 'unknown']);

function isThere({ recordingUrl, mp4Url }: Session): boolean {
  return hasText(recordingUrl) || hasText(mp4Url);
}

/** The stream that broadcasts a running session. */
export function liveStreamOf({ parentId }: Pick<Session, 'parentId'>, { streams }: Snapshot): Stream | undefined {
  return parentId === undefined ? undefined : streams.get(parentId)?.stream;
}

/** One act at most of a recording: it plays on the page. */
function sessionButtons(session: Session, state: RecordingState): readonly Button[] {
  if (hasText(session.mp4Url)) return [{ label: t('Download MP4…'), act: 'downloadMp4' }];
  if (isThere(session)) return [watchInBrowser()];
  if (session.parentId === undefined || MAY_COME.has(state)) return [];
  return state === 'running' ? [{ label: watchLabel(), act: 'watchStream' }, showStream()] : [showStream()];
}

function showStream(): Button {
  return { label: t('Show Stream Details'), act: 'showStream' };
}

function sessionMenu(session: Session, live: Stream | undefined, { abilities }: Snapshot): Menu {
  const json: Button = { label: t('Open as JSON'), act: 'openJson' };
  if (live !== undefined) {
    const end: Button = { label: t('End Broadcast'), act: 'endBroadcast' };
    return [[{ label: t('Check Stream…'), act: 'checkStream' }, ...(abilities.endBroadcast ? [end] : [])], [json]];
  }
  return hasText(session.mp4Url) ? [[watchInBrowser()], [json]] : [[json]];
}

function watchInBrowser(): Button {
  return { label: t('Watch in Browser'), act: 'openRecordingInBrowser' };
}

/** Leaves out what title and state line say. */
function sessionSection(session: Session, state: RecordingState, { snapshot, reader }: DetailsContext): Section {
  const { createdAt, lastSeen, parentId, recordingUrl, mp4Url } = session;
  const isRunning = state === 'running';
  const stream = showStream();
  const isAct = sessionButtons(session, state).some(({ act }) => act === stream.act);
  const [hlsLabel, mp4Label] = [t('Recording URL'), t('MP4 URL')];
  const url = (label: string, address: string | undefined, act: Button['act']): readonly Fact[] =>
    // The path may hold a token.
    hasText(address)
      ? [{ label, value: URL.parse(address ?? '')?.host ?? t('Unknown'), buttons: [copy(act, label)] }]
      : [];
  return {
    id: 'session',
    heading: t('Session'),
    isWide: true,
    facts: [
      ...known(
        {
          label: t('Stream'),
          value: nameOfParent(session, snapshot) ?? parentId,
          buttons: parentId === undefined || isAct ? undefined : [stream],
        },
        { label: t('Start'), value: formatDateTime(createdAt, reader) ?? t('Unknown') },
        { label: t('End'), value: isRunning ? undefined : formatDateTime(lastSeen, reader) },
        {
          label: recordingLabel(),
          value: isRunning ? recordingStatusText(session, state, reader) : undefined,
          ...(isBeingRecorded(session) ? { note: t('You can watch it after the broadcast ends.') } : {}),
        },
        transcoded(session),
      ),
      ...url(hlsLabel, recordingUrl, 'copyRecordingUrl'),
      ...url(mp4Label, mp4Url, 'copyMp4Url'),
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
      { label: playbackIdLabel(), value: playbackId, isCode: true },
      withCopy('copyProjectId', t('Project ID'), projectId),
    ),
  };
}

function hasText(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}
