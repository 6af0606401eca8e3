import { t } from '@vscode/l10n';
import type { Clip } from '../../api/clips.ts';
import { isApiError } from '../../api/errors.ts';
import type { Session, Stream } from '../../api/types.ts';
import { TOKEN_SECONDS } from '../../model/access/token.ts';
import { clipsOfAccount, isDeleted } from '../../model/account/accountClips.ts';
import { checkMediaUrl } from '../../model/addresses.ts';
import { knownStream } from '../../model/childStreams/knownStream.ts';
import { formatClipRange } from '../../model/clips/clipRange.ts';
import { findKnownClip } from '../../model/clips/knownClips.ts';
import { hlsAddressOf } from '../../model/connection/hlsAddress.ts';
import { openConnectionInfo, ownTemplates } from '../../model/connection/knownAddresses.ts';
import type { ModelContext } from '../../model/context.ts';
import { withToken } from '../../model/filledAddresses.ts';
import type { PlayerTarget } from '../../model/pages/panelState.ts';
import type { MediaKind } from '../../model/playback/locateMedia.ts';
import {
  findRecording,
  findSession,
  isBeingMade,
  isBeingRecorded,
  isRunningIn,
  isUnsettled,
  type RecordingState,
  recordingState,
  runningSession,
  sessionDuration,
  sessionEnd,
} from '../../model/store/sessions.ts';
import type { StreamFact } from '../../model/store/snapshot.ts';
import { atLastAnswer, isLive, isOutdated, streamState } from '../../model/store/streams.ts';
import type { BoxlessUi } from '../../services.ts';
import { clipIsGone } from '../../texts/clipRefusals.ts';
import { clipName, createdText } from '../../texts/clips.ts';
import { recordingLabel } from '../../texts/lateLabels.ts';
import { nameOf } from '../../texts/names.ts';
import { noRecording, sessionIsGone, streamIsGone, unknownAddress } from '../../texts/refusals.ts';
import { recordingNote, recordingWord } from '../../texts/sessions.ts';
import { privateWord, stateWords } from '../../texts/streams.ts';
import { delay } from '../../util/clock.ts';
import { formatDayAndClock } from '../../util/dates.ts';
import { createDeadline } from '../../util/deadline.ts';
import { formatClipTimer, formatDuration } from '../../util/format.ts';
import type { Action, Heading, Problem } from '../../webview/player/messages.ts';
import { nameOfParent, sessionTitle } from '../tabTitles.ts';
import { canOpen, listRecordings } from './broadcastRecording.ts';

export type SubjectContext = ModelContext & { readonly ui: BoxlessUi };

interface SubjectMedia {
  readonly kind: MediaKind;
  readonly url: string;
  readonly isOwn?: boolean;
  /** Where the service plays the running broadcast from its beginning. */
  readonly dvrUrl?: string | undefined;
}

/** What is known about a stream or session to play, and where it plays; `problem` if it can't be played. */
export interface Subject {
  readonly tab: string;
  readonly heading: Heading;
  readonly media: SubjectMedia | undefined;
  readonly problem: Problem | undefined;
  readonly offers: readonly Action[];
  readonly isPending: boolean;
  readonly stream?: Stream | undefined;
  /** When the stream was read, in milliseconds by the local clock. */
  readonly readAt?: number | undefined;
  readonly session?: Session | undefined;
  readonly clip?: Clip | undefined;
  /** Set if the stream was live when it was read: its lastSeen at that time. */
  readonly liveAt?: number | undefined;
  /** Set if the URLs have a token: when it expires, by the monotonic clock. */
  readonly tokenUntil?: number | undefined;
}

interface Preference {
  readonly prefersMp4: boolean;
}

export interface Known {
  readonly session?: Session | undefined;
  readonly parentId?: string | undefined;
  readonly name: string;
}

/** Reads a stream or session, or uses what is known about it. Throws ApiError, or a Refusal if it's gone. */
export async function readSubject(
  context: SubjectContext,
  { kind, id }: PlayerTarget,
  given: Known & Preference,
): Promise<Subject> {
  if (kind === 'clip') {
    const [clip, start] = await Promise.all([findClip(context, id), findClipStart(context, id)]);
    return clipSubject(context, { clip, start }, given);
  }
  if (kind === 'stream') return streamSubject(context, await readFresh(context, id, given.name));
  const session = given.session ?? (await findAnySession(context, id, given.parentId));
  const named = await withParentName(context, await context.connection.account.withAddress(session, 'recordingUrl'));
  return sessionSubject(context, named, given);
}

/** A session that was read by ID may lack its stream's name, which is the name that users recognize. */
async function withParentName({ connection, store, log }: SubjectContext, session: Session): Promise<Session> {
  const { parentId, parentName } = session;
  if (parentId === undefined || parentName !== undefined || store.snapshot.streams.has(parentId)) return session;
  try {
    return { ...session, parentName: await connection.account.readStreamName(parentId) };
  } catch (error) {
    if (!isApiError(error)) throw error;
    log.debug(`The stream of a recording couldn't be read (${error.reason})`);
    return session;
  }
}

async function readFresh(context: SubjectContext, id: string, name: string): Promise<Stream> {
  const known = knownStream(context, id);
  const stream = known?.isActive === true ? known : await context.connection.account.readStream(id);
  if (stream === undefined) throw streamIsGone({ id, name: known?.name ?? name });
  return stream;
}

async function streamSubject(context: SubjectContext, stream: Stream): Promise<Subject> {
  const title = nameOf(stream);
  const readAt = context.drawing().now;
  const heading = streamHeading(context, { stream, readAt });
  const base = { tab: title, heading, stream, readAt };
  const url = await hlsAddressOf(context, stream);
  if (url === undefined && stream.playbackId !== undefined) {
    // A live stream isn't read above: the service may reject the key by now and return no URL for that reason.
    await context.connection.account.readStream(stream.id);
    const problem = problemOf(unknownAddress(context, 'hls').sentence, ['setAddress', 'openInBrowser']);
    return { ...base, media: undefined, problem, offers: [], isPending: false };
  }
  if (url === undefined) {
    const problem = problemOf(t('"{0}" has no playback ID, so you can\'t watch it.', title), []);
    return { ...base, media: undefined, problem, offers: [], isPending: false };
  }
  const offers: readonly Action[] = ['copyAddress', 'openInBrowser'];
  if (stream.isActive) {
    // Otherwise, the URL comes from the service itself.
    const isOwn = ownTemplates(context).hls !== undefined;
    const dvrUrl = await findDvrUrl(context, stream);
    const token = await context.connection.account.viewerToken(stream);
    const addresses = { url: withToken(url, token), dvrUrl: withToken(dvrUrl, token) };
    const live = { media: { kind: 'hls' as const, isOwn, ...addresses }, problem: undefined, isPending: false };
    const tokenUntil = token === undefined ? undefined : context.clock.elapsed() + TOKEN_SECONDS * 1000;
    return {
      ...base,
      ...live,
      heading: streamHeading(context, { stream, readAt, tokenUntil }),
      offers: [...(token === undefined ? offers : OFFERS_WITH_TOKEN), ...clipOffer(context, stream.record)],
      liveAt: stream.lastSeen,
      tokenUntil,
    };
  }
  const [newest] = await listRecordings(context, stream.id);
  const session = canOpen(newest) ? newest : undefined;
  const problem = silentProblem(context, stream, { kind: 'notLive', hasRecording: session !== undefined });
  return { ...base, media: undefined, problem, offers, isPending: true, session };
}

/** The URL without a token doesn't play anywhere. */
const OFFERS_WITH_TOKEN: readonly Action[] = ['copyWithToken', 'openInBrowser'];

/** How long a clip that could already play waits for the time at which it begins. */
const CLIP_START_WITHIN_MS = 1000;

/** How long a broadcast that could already play waits for the URL of its beginning. */
const DVR_WITHIN_MS = 3000;

async function findDvrUrl(context: SubjectContext, { playbackId, record }: Stream): Promise<string | undefined> {
  const { connection, clock, log } = context;
  if (!record || playbackId === undefined) return undefined;
  const deadline = createDeadline(clock, DVR_WITHIN_MS, connection.account.signal);
  try {
    const checked = checkMediaUrl(
      await connection.account.readDvrUrl(playbackId, deadline.signal),
      openConnectionInfo(context),
    );
    return checked.ok ? checked.url : undefined;
  } catch (error) {
    if (!isApiError(error) && !deadline.isOver) throw error;
    log.debug(`Couldn't find the start of a broadcast: ${String(error)}`);
    return undefined;
  } finally {
    deadline.dispose();
  }
}

export type SilentProblem = Extract<Problem, { readonly kind: 'notLive' | 'ended' }>;

/** @param kind 'ended' if a broadcast was shown before */
export function silentProblem(
  { settings, store }: SubjectContext,
  { suspended }: Stream,
  { kind, hasRecording }: Pick<SilentProblem, 'kind' | 'hasRecording'>,
): SilentProblem {
  const problem = { kind, looksAgain: settings.refreshInterval() > 0, hasRecording };
  return suspended === true ? { ...problem, suspended: { canResume: store.snapshot.abilities.suspend } } : problem;
}

export function isSilent(problem: Problem | undefined): problem is SilentProblem {
  return problem?.kind === 'notLive' || problem?.kind === 'ended';
}

interface StreamHeadingParts {
  readonly stream: Stream;
  readonly readAt: number;
  /** Set if it plays with a token. */
  readonly tokenUntil?: number | undefined;
}

export function streamHeading(
  { store, drawing }: SubjectContext,
  { stream, readAt, tokenUntil }: StreamHeadingParts,
): Heading {
  const reader = drawing();
  const known = store.snapshot.streams.get(stream.id);
  // Whether data arrives was known when the stream was read and is judged by that time.
  const fact: StreamFact = known ?? { stream, requestSeq: 0, startedAt: readAt, serverDate: readAt };
  const words = stateWords(fact, reader);
  const live = isLive(fact);
  const beganAt = live ? runningSession(store.snapshot, stream.id)?.createdAt : undefined;
  const note = t('Private: your signing key is used to play the stream here. Others need a token.');
  const privacy = tokenUntil === undefined ? privateWord(fact.stream) : false;
  const tone = live && !isOutdated(store.snapshot) ? toneOf(fact.stream) : undefined;
  const heading = {
    title: nameOf(fact.stream),
    facts: (live ? [...words.slice(1), privacy] : [privacy, ...words]).filter((word) => word !== false),
    ...(tone && { tone }),
    isLive: live,
    ...(!fact.stream.isActive && { isOver: true }),
    ...(streamState(fact) === 'stale' && { way: 'checkStream' as const }),
  };
  return { ...heading, ...(beganAt !== undefined && { beganAt }), ...(tokenUntil !== undefined && { note }) };
}

/** The same tone as that of the icon of the stream's row. */
function toneOf({ isHealthy, record }: Stream): Heading['tone'] {
  if (isHealthy === false) return 'warning';
  return record ? 'recording' : undefined;
}

function sessionSubject(context: SubjectContext, session: Session, { prefersMp4 }: Preference): Subject {
  const { recordingUrl, mp4Url } = session;
  const problem = whyNothingPlays(context, session);
  const heading = sessionHeading(context, session, problem);
  const start = formatDayAndClock(session.createdAt, context.drawing());
  const tab = start === undefined ? heading.title : sessionTitle(heading.title, start);
  const offers: readonly Action[] = [
    'copyAddress',
    'openInBrowser',
    ...(mp4Url === undefined ? [] : (['downloadMp4'] as const)),
    ...clipOffer(context, session.parentId !== undefined),
  ];
  const base = { tab, heading, session, isPending: isToCome(context, session) };
  const media = chooseMedia(recordingUrl, mp4Url, prefersMp4);
  return { ...base, media, problem, offers: problem === undefined ? offers : [] };
}

function chooseMedia(
  playlist: string | undefined,
  file: string | undefined,
  prefersMp4: boolean,
): SubjectMedia | undefined {
  const url = prefersMp4 ? (file ?? playlist) : (playlist ?? file);
  return url === undefined ? undefined : { kind: url === playlist ? 'hls' : 'mp4', url };
}

/** Returns when a clip begins, as Unix time in milliseconds. */
async function findClipStart({ connection, clock }: SubjectContext, id: string): Promise<number | undefined> {
  const isKnown = new AbortController();
  const late = delay(clock, CLIP_START_WITHIN_MS, isKnown.signal).catch(() => undefined);
  const starts = await Promise.race([clipsOfAccount(connection.account).readStarts([id]), late]);
  isKnown.abort();
  return starts?.get(id);
}

interface ReadClip {
  readonly clip: Clip;
  readonly start: number | undefined;
}

function clipSubject(context: SubjectContext, read: ReadClip, { prefersMp4 }: Preference): Subject {
  const { clip } = read;
  const { playbackUrl, downloadUrl } = clip;
  const title = clipName(clip, context.drawing());
  const heading = { title, facts: clipFacts(context, read), isLive: false };
  const media = chooseMedia(playbackUrl, downloadUrl, prefersMp4);
  const offers: readonly Action[] = downloadUrl === undefined ? ['copyClipUrl'] : ['copyClipUrl', 'downloadMp4'];
  const base = { tab: title, heading, clip, media, isPending: isBeingMade(clip) };
  return media === undefined
    ? { ...base, problem: problemOf(whyNoClip(clip), base.isPending ? ['retry'] : []), offers: [] }
    : { ...base, problem: undefined, offers };
}

/** Returns the origin of a clip, as far as it's known: "Keynote", when it was broadcast, "1:01–1:30". */
function clipFacts({ store, drawing }: SubjectContext, { clip, start }: ReadClip): readonly string[] {
  const { snapshot } = store;
  const { id, sessionId = '', createdAt, seconds } = clip;
  const streamId = findKnownClip(snapshot, id)?.streamId;
  const session = findSession(snapshot, streamId ?? '', sessionId) ?? findRecording(snapshot, sessionId);
  const began = session?.createdAt;
  const length = seconds === undefined ? undefined : formatClipTimer(seconds);
  const from = start === undefined || began === undefined ? undefined : (start - began) / 1000;
  return [
    nameOfParent({ parentId: streamId ?? session?.parentId, parentName: session?.parentName }, snapshot),
    formatDayAndClock(began, drawing()) ?? createdText(formatDayAndClock(createdAt, drawing())),
    from === undefined || seconds === undefined ? length : formatClipRange(from, from + seconds),
  ].filter((fact) => fact !== undefined);
}

/** Clips are cut from what is recorded. */
function clipOffer({ store }: SubjectContext, canCut: boolean): readonly Action[] {
  return canCut && store.snapshot.abilities.clips ? ['createClip'] : [];
}

function whyNoClip(clip: Clip): string {
  return isBeingMade(clip) ? t('This clip is still being created.') : t("This clip couldn't be created.");
}

/** Throws a Refusal if there is no such clip. */
export async function findClip({ connection }: SubjectContext, id: string): Promise<Clip> {
  const clip = await clipsOfAccount(connection.account).find('', id);
  if (clip === undefined || isDeleted(clip)) throw clipIsGone();
  return clip;
}

export function isToCome({ store }: SubjectContext, session: Session): boolean {
  return isUnsettled(session) || isRunningIn(store.snapshot, session);
}

/** Returns why a session has nothing to play; undefined if it has something. */
export function whyNothingPlays(context: SubjectContext, session: Session): Problem | undefined {
  if (session.recordingUrl !== undefined || session.mp4Url !== undefined) return undefined;
  if (!isRunningIn(context.store.snapshot, session)) {
    if (isUnsettled(session)) return processing(context, session);
    const mayCome = MAY_COME.has(recordingState(session, false));
    return problemOf(noRecording(context, session).sentence, mayCome ? ['retry', 'showDetails'] : ['showDetails']);
  }
  const { sentence } = noRecording(context, session);
  return problemOf(
    isBeingRecorded(session) ? sentence : t("This session is still in progress and isn't being recorded."),
    ['watchLive'],
  );
}

/** States in which the service may still return a URL. In the others, retrying is useless. */
const MAY_COME: ReadonlySet<RecordingState> = new Set(['ready', 'unknown']);

export function processing({ settings }: SubjectContext, session: Session): Problem {
  return { kind: 'processing', looksAgain: settings.refreshInterval() > 0, since: sessionEnd(session) };
}

function sessionHeading({ store, drawing }: SubjectContext, session: Session, problem: Problem | undefined): Heading {
  const { snapshot } = store;
  const reader = drawing();
  const state = recordingState(session, isRunningIn(snapshot, session));
  const facts = [
    formatDayAndClock(session.createdAt, reader),
    formatDuration(sessionDuration(session)),
    state === 'running' && recordingWord(session, state, atLastAnswer(snapshot, reader)),
    // A ready recording plays, and any other outcome is the problem.
    state !== 'running' && state !== 'ready' && problem === undefined && recordingNote(session, state, reader),
  ];
  return {
    title: nameOfParent(session, snapshot) ?? recordingLabel(),
    facts: facts.filter((fact) => typeof fact === 'string'),
    isLive: false,
  };
}

/** Returns a session by its ID, as a restored tab knows it. Throws a Refusal if it isn't found. */
export async function findAnySession({ connection }: SubjectContext, id: string, parentId?: string): Promise<Session> {
  const found = await connection.account.findSession(id, parentId);
  if (found === undefined) throw sessionIsGone();
  return found;
}

export function problemOf(sentence: string, actions: readonly Action[], detail?: string): Problem {
  return { kind: 'said', sentence, ...(detail !== undefined && { detail }), actions };
}
