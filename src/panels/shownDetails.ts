import { t } from '@vscode/l10n';
import { asSentence } from '../api/describeError.ts';
import type { Session, Stream } from '../api/types.ts';
import { knownStream } from '../model/childStreams/knownStream.ts';
import { awaitsTemplates } from '../model/connection/hlsAddress.ts';
import { templatesInForce } from '../model/connection/knownAddresses.ts';
import type { ModelContext } from '../model/context.ts';
import { createMask } from '../model/mask.ts';
import {
  isBeingRecorded,
  isPlayable,
  isRunningIn,
  type RecordingState,
  recordingState,
  sessionDuration,
  settleBy,
} from '../model/store/sessions.ts';
import { EMPTY_SUB_LIST, type Snapshot, type StreamFact } from '../model/store/snapshot.ts';
import { isOutdated } from '../model/store/streams.ts';
import { checkStreamLabel, liveLabel, loadingLabel, retryLabel, setApiKeyLabel, watchLabel } from '../texts/labels.ts';
import {
  createClipLabel,
  downloadMp4Label,
  onOrOffText,
  playbackIdLabel,
  recordingLabel,
  showStreamDetailsLabel,
  streamIdLabel,
  streamLabel,
} from '../texts/lateLabels.ts';
import { goneStreamWord, liveText, recordingPhrase, unknownStartText } from '../texts/sessions.ts';
import { testBroadcastWords } from '../texts/streams.ts';
import { formatDateTime, formatDayAndClock, type Reader } from '../util/dates.ts';
import { formatDuration } from '../util/format.ts';
import { hasText } from '../util/text.ts';
import type { Button, Fact, Menu, Section, Shown, ShownDetails } from '../webview/details/messages.ts';
import { type DetailsState, knownSession } from './detailsModel.ts';
import { connectionProblem, connectionWords, mayNeedOtherKey, wayButtons } from './ownConnection.ts';
import { clipsSections, isCuttable } from './sections/clips.ts';
import { renditionsSections } from './sections/renditions.ts';
import { leftSessions, toneOfRecording } from './shownSessions.ts';
import {
  copy,
  type DetailsContext,
  deletedDetails,
  deletedText,
  goneButtons,
  known,
  menuBeside,
  receptionOf,
  recordingStateWord,
  type SectionPlace,
  stopButtons,
  streamDetails,
  transcoded,
  warningOf,
} from './streamDetails.ts';
import { nameOfParent, sessionTitle } from './tabTitles.ts';

interface ShownParts extends DetailsState {
  readonly trouble: string | undefined;
  /** Whether loading again may help. */
  readonly canRecover: boolean;
  /** Whether the page is shown again and the service hasn't responded yet: states are those of the last response. */
  readonly isOld?: boolean;
  /** Whether the player that the Watch button would open is already open. */
  readonly hasPlayer?: boolean;
  readonly placeOfTargets?: SectionPlace | undefined;
  /** Whether the recording of a session's page isn't where the service says. */
  readonly isRecordingMissing?: boolean;
  /** The clip whose row is marked. */
  readonly clipId?: string | undefined;
}

/** Returns the page's content from what is known, or why there is none. Sends no request. */
export function shownDetails(context: ModelContext, parts: ShownParts): Shown {
  const { target, trouble, canRecover } = parts;
  const { snapshot } = context.store;
  const title = noticeTitle(parts);
  const why = connectionProblem(snapshot, target);
  if (why !== undefined) {
    return notice(title, why.sentence ?? loadingLabel(), ...wayButtons(why));
  }
  const drawn = context.drawing();
  const isOld = parts.isOld === true || isOutdated(snapshot);
  const readerOf = (readAt: number | undefined): Reader =>
    isOld && readAt !== undefined ? { ...drawn, now: Math.min(drawn.now, readAt) } : drawn;
  const made = { snapshot, reader: drawn, now: drawn.now, templates: templatesInForce(context) };
  const fact = target.kind === 'stream' ? factOf(context, target.id) : undefined;
  if (fact !== undefined) {
    const { loadedAt = 0 } = snapshot.sessions.get(target.id) ?? {};
    // As in the tree, a session counts as live as long as its stream does.
    const sessionsAt = Math.max(loadedAt, fact.stream.isActive ? fact.startedAt : 0) || undefined;
    const readers = { reader: readerOf(fact.startedAt), sessionsReader: readerOf(sessionsAt) };
    const { hlsUrl, hasPlayer, placeOfTargets } = parts;
    const health = snapshot.health.get(target.id);
    const awaitsUrls = awaitsTemplates(context);
    return streamDetails(fact, {
      ...made,
      snapshot: withFormerSessions(snapshot, parts),
      ...readers,
      awaitsUrls,
      awaitsTargets: parts.areTargetsRead === false,
      hlsUrl,
      health,
      hasPlayer,
      placeOfTargets,
    });
  }
  const session = target.kind === 'session' ? knownSession(snapshot, parts) : undefined;
  if (session !== undefined) {
    return sessionDetails(session, { ...made, reader: readerOf(sessionReadAt(snapshot, parts)) }, parts);
  }
  if (trouble === undefined) return notice(title, loadingLabel());
  if (canRecover) {
    const key: Button = { label: setApiKeyLabel(), act: 'setApiKey' };
    return notice(title, trouble, ...(mayNeedOtherKey(snapshot) ? [key] : []), { label: retryLabel(), act: 'retry' });
  }
  if (target.kind === 'session') return notice(title, trouble);
  // If the stream is gone, only Recordings is still read.
  const left = settleBy(snapshot.recordings.items, parts.formerSessions ?? []);
  const sessions = leftSessions(snapshot, { streamId: target.id, sessions: left }, made.reader);
  if (parts.former !== undefined) return deletedDetails(parts.former, made, sessions);
  return { ...notice(title, trouble, ...goneButtons(snapshot, sessions)), sessions };
}

/** A refresh drops the sessions of streams that are collapsed in the tree: the last ones stay until others are read. */
function withFormerSessions(snapshot: Snapshot, { target, formerSessions: items = [] }: ShownParts): Snapshot {
  const list = snapshot.sessions.get(target.id);
  const isRead = list !== undefined && (list.isLoaded || list.items.length > 0);
  if (isRead || items.length === 0) return snapshot;
  const former = { ...EMPTY_SUB_LIST, ...list, items, isLoaded: true };
  return { ...snapshot, sessions: new Map(snapshot.sessions).set(target.id, former) };
}

function sessionReadAt(snapshot: Snapshot, { target, session, readAt }: ShownParts): number | undefined {
  const { sessions, recordings } = snapshot;
  const listed = session?.parentId === undefined ? undefined : sessions.get(session.parentId);
  const lists = [listed, recordings].filter((list) => list?.items.some(({ id }) => id === target.id));
  const goesOn = session !== undefined && isRunningIn(snapshot, session);
  const stream = goesOn ? snapshot.streams.get(session.parentId ?? '') : undefined;
  const times = [readAt, stream?.startedAt, ...lists.map((list) => list?.loadedAt)].filter(
    (time) => time !== undefined,
  );
  return times.length === 0 ? undefined : Math.max(...times);
}

/** The start of a session isn't known before the session is. */
function noticeTitle({ target, name }: ShownParts): string {
  return target.kind === 'stream' ? name || streamLabel() : sessionTitle(name, t('Session'));
}

/** Returns what is known about a stream. Child streams aren't among the store's streams. */
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
  {
    isRecordingMissing = false,
    failure,
    clipStarts,
    clipId,
  }: Pick<ShownParts, 'isRecordingMissing' | 'failure' | 'clipStarts' | 'clipId'> = {},
): ShownDetails {
  const { snapshot, reader } = context;
  const state = recordingState(session, isRunningIn(snapshot, session));
  const duration = state === 'running' ? undefined : formatDuration(sessionDuration(session));
  const isMissing = state === 'ready' && isRecordingMissing;
  const fact = state === 'running' ? snapshot.streams.get(session.parentId ?? '') : undefined;
  const live = fact?.stream;
  const reception = fact && receptionOf(fact, context);
  const phrase = state === 'running' ? liveText(session, reader.now) : recordingPhrase(session, state, reader);
  const text = isMissing ? t('Recording not found') : phrase;
  // Shown beside how long it has been processed.
  const length = duration !== undefined && state === 'waiting' ? t('Length: {0}', duration) : duration;
  const testing = live === undefined ? [] : testBroadcastWords(snapshot, live.id);
  const buttons = isMissing ? [] : sessionButtons(session, state, snapshot);
  const hasPlayer = isPlayable(session) || MAY_COME.has(state);
  // Collapsed below what is watched. If nothing is watched, the facts are all there is to see.
  const isFolded = hasPlayer || state === 'running';
  const activity = known(transcoded(session));
  const about = sessionSection(session, state, context);
  const rest = [
    idsSection(session),
    ...renditionsSections(session.profiles, reader.locale),
    ...(isFolded && activity.length > 0 ? [{ id: 'activity', heading: t('Activity'), facts: activity }] : []),
  ];
  const isRecorded = state === 'running' && isBeingRecorded(session);
  return {
    kind: 'details',
    title: titleOfSession(session, snapshot, reader),
    state: [
      { text, tone: isMissing ? 'failed' : isRecorded ? 'recording' : toneOfRecording({ session, state }) },
      ...testing.map((word) => ({ text: word })),
      ...(isRecorded ? [recordingStateWord()] : []),
      ...(reception?.words ?? []),
      ...[length, goneStreamWord(snapshot, session), ...connectionWords(snapshot)]
        .filter((word) => typeof word === 'string')
        .map((word) => ({ text: word })),
    ],
    announced: ANNOUNCED[state]?.() ?? text,
    warning: warningOf({ startedAt: reader.now }, context),
    meaning: meaningOf(session, state, { snapshot, failure }),
    problems: reception?.problems ?? [],
    issues: reception?.issues ?? [],
    hasPicture: hasText(live?.playbackId),
    hasPlayer,
    buttons,
    menu: menuBeside(buttons, sessionMenu(session, live, snapshot)),
    sections: [
      ...(reception?.sections ?? []),
      isFolded ? { ...about, isWide: true } : { ...about, facts: [...(about.facts ?? []), ...activity] },
      ...clipsSections(session, { snapshot, reader, clipStarts, clipId }),
      ...(isFolded ? [] : rest),
    ],
    more: isFolded ? rest : [],
  };
}

/** The states whose descriptions contain a time that changes. */
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

/** Returns the stream that broadcasts a running session. */
export function liveStreamOf(
  { parentId }: { readonly parentId: string | undefined },
  { streams }: Snapshot,
): Stream | undefined {
  return parentId === undefined ? undefined : streams.get(parentId)?.stream;
}

interface KnownOfSession {
  readonly snapshot: Snapshot;
  /** Why its recording failed, in the service's words. */
  readonly failure?: string | undefined;
}

/** Explains the outcome of the recording if its state alone would leave the user puzzled. */
function meaningOf(session: Session, state: RecordingState, { snapshot, failure }: KnownOfSession): readonly string[] {
  const { stream } = snapshot.streams.get(session.parentId ?? '') ?? {};
  switch (state) {
    case 'failed':
      return [
        failure === undefined
          ? t("The service doesn't report a reason.")
          : t('The service reports: {0}', asSentence(failure)),
        t('If you contact support, include the session ID.'),
      ];
    case 'none':
      return [t("The service didn't record this broadcast."), ...nextRecording(stream, snapshot)];
    case 'deleted':
      return [t('The service no longer has this recording.')];
    case 'notRecorded':
      return [t('Recording was off during this broadcast.'), ...nextRecording(stream, snapshot)];
    case 'running':
    case 'waiting':
    case 'ready':
    case 'unknown':
      return [];
    default:
      return state satisfies never;
  }
}

/** Says whether the next broadcast will be recorded. While the stream is live, there's no next one yet. */
function nextRecording(stream: Stream | undefined, { abilities }: Snapshot): readonly string[] {
  if (stream === undefined) return [];
  if (stream.record) return stream.isActive ? [] : [t('Recording is on now, so the next broadcast will be recorded.')];
  if (!abilities.patch) return [];
  return [
    stream.isActive
      ? t('You can turn on recording after the current broadcast ends.')
      : t('To record the next broadcast, turn on recording.'),
  ];
}

const NOT_RECORDED: ReadonlySet<RecordingState> = new Set(['none', 'notRecorded']);
const OFFERS_STREAM: ReadonlySet<RecordingState> = new Set([...MAY_COME, 'deleted']);
const OFFERS_KNOWN_STREAM: ReadonlySet<RecordingState> = new Set([...NOT_RECORDED, 'failed']);

/** A recording plays on the page. */
function sessionButtons(session: Session, state: RecordingState, snapshot: Snapshot): readonly Button[] {
  const clip: readonly Button[] = isCuttable(session, state, snapshot)
    ? [{ label: createClipLabel(), act: 'createClip' }]
    : [];
  if (hasText(session.mp4Url)) return [{ label: downloadMp4Label(), act: 'downloadMp4' }, ...clip];
  if (state === 'ready' && clip.length > 0) return clip;
  const { stream } = snapshot.streams.get(session.parentId ?? '') ?? {};
  const check: Button = { label: checkStreamLabel(), act: 'checkStream' };
  const copyId: Button = { label: t('Copy Session ID'), act: 'copySessionId' };
  const turnOn: Button = { label: t('Turn On Recording'), act: 'turnRecordingOn' };
  const canTurnOn = stream?.isActive === false && !stream.record && snapshot.abilities.patch;
  const all: readonly (Button | false)[] = [
    state === 'running' && { label: watchLabel(), act: 'watchStream' },
    state === 'running' && stream !== undefined && check,
    NOT_RECORDED.has(state) && canTurnOn && turnOn,
    OFFERS_STREAM.has(state) && session.parentId !== undefined && showStream(),
    // The outcome of the recording is known, so a stream that is gone can't say more.
    OFFERS_KNOWN_STREAM.has(state) && stream !== undefined && showStream(),
    // Support asks for it.
    state === 'failed' && copyId,
    ...(state === 'running' && stream !== undefined ? stopButtons(snapshot, stream.id) : []),
    ...clip,
  ];
  return all.filter((button) => button !== false);
}

function showStream(): Button {
  return { label: showStreamDetailsLabel(), act: 'showStream' };
}

function sessionMenu(session: Session, live: Stream | undefined, snapshot: Snapshot): Menu {
  const { abilities } = snapshot;
  const json: Button = { label: t('Open as JSON'), act: 'openJson' };
  if (live !== undefined) {
    const end: Button = { label: t('End Broadcast'), act: 'endBroadcast' };
    return [[{ label: checkStreamLabel(), act: 'checkStream' }, ...(abilities.endBroadcast ? [end] : [])], [json]];
  }
  const browser: Button = { label: t('Watch in Browser'), act: 'openRecordingInBrowser' };
  const gone = goneStreamWord(snapshot, session) === false ? [] : [showStream()];
  return [...(isPlayable(session) ? [[browser]] : []), [...gone, json]];
}

/**
 * Leaves out what title and state line say. Shown beside the player, if there is one. The host copies the whole URLs:
 * their queries may hold a token.
 */
function sessionSection(session: Session, state: RecordingState, { snapshot, reader }: DetailsContext): Section {
  const { createdAt, lastSeen, parentId, recordingUrl, mp4Url } = session;
  const url = (label: string, address: string | undefined, act: Button['act']) => {
    const value = hasText(address) ? withoutSecrets('', address) : undefined;
    return { label, value, isCode: true, buttons: [copy(act, label)] };
  };
  const name = nameOfParent(session, snapshot) ?? parentId;
  // Sessions remain after their stream is deleted, and the link says so.
  const isGone = goneStreamWord(snapshot, session) !== false;
  const gone = isGone ? { note: deletedText() } : {};
  const link: Button = { label: name ?? '', hint: t('Show details of "{0}"', name ?? ''), act: 'showStream' };
  return {
    id: 'session',
    heading: t('Session'),
    facts: known(
      { label: streamLabel(), value: name, link: parentId === undefined || isGone ? undefined : link, ...gone },
      { label: t('Start'), value: formatDateTime(createdAt, reader) ?? t('Unknown') },
      { label: t('End'), value: state === 'running' ? undefined : formatDateTime(lastSeen, reader) },
      ...(state === 'running' ? [recordingFact(session)] : []),
      url(t('Recording URL'), recordingUrl, 'copyRecordingUrl'),
      url(t('MP4 URL'), mp4Url, 'copyMp4Url'),
    ),
  };
}

function recordingFact(session: Session): Fact {
  const isOn = isBeingRecorded(session);
  return {
    ...{ label: recordingLabel(), value: onOrOffText(isOn), tone: isOn ? 'recording' : 'quiet' },
    note: isOn
      ? t('You can watch the recording after the broadcast ends.')
      : t("This broadcast isn't being recorded. You can turn on recording after it ends."),
  };
}

const { text: withoutSecrets } = createMask(undefined);

function idsSection({ id, parentId, playbackId, projectId }: Session): Section {
  const withCopy = (act: Button['act'], label: string, value: string | undefined) => {
    return { label, value, isCode: true, buttons: [copy(act, label)] };
  };
  return {
    id: 'ids',
    heading: t('IDs'),
    facts: known(
      withCopy('copySessionId', t('Session ID'), id),
      withCopy('copyStreamId', streamIdLabel(), parentId),
      withCopy('copyOwnPlaybackId', playbackIdLabel(), playbackId),
      withCopy('copyProjectId', t('Project ID'), projectId),
    ),
  };
}
