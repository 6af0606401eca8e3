import { t } from '@vscode/l10n';
import { asSentence } from '../../api/describeError.ts';
import { type ApiErrorReason, isAbortError, isApiError } from '../../api/errors.ts';
import type { PlaybackPolicy, Session, Stream } from '../../api/types.ts';
import type { PanelTarget, PlayerTarget } from '../../model/pages/panelState.ts';
import { describeOpening, type FoundMedia, locateMedia } from '../../model/playback/locateMedia.ts';
import { isBeingMade } from '../../model/store/sessions.ts';
import type { Snapshot } from '../../model/store/snapshot.ts';
import { isLive } from '../../model/store/streams.ts';
import type { Downloads, PageUi, Transport } from '../../services.ts';
import { webhookDecides } from '../../texts/access.ts';
import { isRefusal } from '../../texts/refusal.ts';
import { serviceOrConnectionOf, streamIsGone } from '../../texts/refusals.ts';
import { outdatedReason } from '../../texts/troubles.ts';
import { oneLine } from '../../util/text.ts';
import type { Action, Heading, LoadedPart, PagePart, Problem, Source } from '../../webview/player/messages.ts';
import { connectionProblem } from '../ownConnection.ts';
import { noteFailure } from '../page.ts';
import { findBroadcastRecording } from './broadcastRecording.ts';
import {
  findAnySession,
  findClip,
  isSilent,
  isToCome,
  problemOf,
  processing,
  readSubject,
  type Subject,
  type SubjectContext,
  silentProblem,
} from './playerSubject.ts';

export interface FinderContext extends SubjectContext {
  readonly ui: PageUi;
  readonly transport: Transport & Downloads;
  /** Reads code that a page loads only if it needs it. Doesn't throw. */
  readonly readPart: (part: PagePart) => Promise<LoadedPart>;
}

export interface PageTarget extends PanelTarget {
  readonly connection: string;
  /** The clip whose row the page marks and scrolls to once it has it. */
  readonly clipId?: string | undefined;
  readonly session?: Session | undefined;
}

/** The subject of a player. */
export interface PlayedTarget extends PlayerTarget {
  readonly connection: string;
  readonly session?: Session | undefined;
  /** Whether it was opened to create a clip. */
  readonly isForClip?: boolean | undefined;
}

export interface PlayerContext extends FinderContext {
  readonly target: PlayedTarget;
}

/**
 * `beginning`: live, but without a playlist of this broadcast yet, so retry soon, a few times. `lost`: the network or
 * the video server failed, so retry until it's back.
 */
export type Retry = 'beginning' | 'lost';

/** The outcome of finding something to play: a source, or the problem. */
export interface Found {
  readonly subject: Subject | undefined;
  readonly heading: Heading | undefined;
  readonly source: Source | undefined;
  /** What the source plays, if there is one. */
  readonly media: FoundMedia | undefined;
  readonly problem: Problem | undefined;
  readonly offers: readonly Action[];
  /** It may become playable without the user's action: poll. */
  readonly isPending: boolean;
  /** Why the player retries by itself. */
  readonly retry?: Retry | undefined;
  /** A request to the service failed. */
  readonly hasFailed?: boolean;
  /** The source plays the running broadcast from its beginning. */
  readonly isDvr?: boolean;
}

interface FindOptions {
  /** The subject found earlier. Only its stream and session are kept. */
  readonly before: Subject | undefined;
  readonly session: Session | undefined;
  readonly name: string;
  readonly startsItself: boolean;
  readonly prefersMp4: boolean;
  /** Plays a broadcast live, even if it could be played from its beginning. */
  readonly avoidsDvr: boolean;
  readonly signal: AbortSignal;
}

/** Finds out what to play, and its URL after redirects. Throws only the AbortError of its signal. */
export async function findPlayback(context: PlayerContext, options: FindOptions): Promise<Found> {
  const why = connectionProblem(context.store.snapshot, context.target);
  if (why !== undefined) {
    return onlyProblem(why.sentence === undefined ? { kind: 'opening' } : problemOf(why.sentence, why.ways));
  }
  try {
    return await find(context, options);
  } catch (error) {
    if (options.signal.aborted || isAbortError(error)) throw error;
    if (!isRefusal(error)) noteFailure(context.log, 'Finding out what to play failed', error);
    const { problem, isPending } = describeFailure(context, error);
    return { ...onlyProblem(problem), isPending, hasFailed: !isRefusal(error) };
  }
}

/** Returns what to say about a failed request, and whether a later one may succeed. */
export function describeFailure(context: PlayerContext, error: unknown) {
  const { target, store, settings } = context;
  if (isRefusal(error)) {
    const hasPage = target.kind === 'stream' && store.snapshot.streams.has(target.id);
    return { problem: problemOf(error.sentence, hasPage ? ['showDetails'] : []), isPending: false };
  }
  const reason = isApiError(error) ? error.reason : undefined;
  const sentence = describeOpening(error, serviceOrConnectionOf(context, error));
  const actions: readonly Action[] = reason === 'unauthorized' ? ['setApiKey'] : ['retry', 'openInBrowser'];
  const problem = problemOf(sentence, actions);
  const isPending = reason !== undefined && PASSING.has(reason);
  const isRetried = isPending && settings.refreshInterval() > 0;
  return { problem: isRetried ? ({ ...problem, isRetried: true } as const) : problem, isPending };
}

const PASSING: ReadonlySet<ApiErrorReason> = new Set(['network', 'timeout', 'unavailable', 'rateLimited']);

export function onlyProblem(problem: Problem): Found {
  const nothing = { subject: undefined, heading: undefined, source: undefined, media: undefined };
  return { ...nothing, problem, offers: [], isPending: false };
}

async function find(context: PlayerContext, options: FindOptions): Promise<Found> {
  const { target } = context;
  const { before, name, prefersMp4, startsItself, avoidsDvr, signal } = options;
  // The given session is used the first time only and read again after that.
  const session = options.session ?? (before === undefined ? target.session : undefined);
  const parentId = (before?.session ?? target.session)?.parentId;
  const read = await readSubject(context, target, { session, parentId, name, prefersMp4 });
  const subject = { ...read, media: read.media && withKnownDvr(read.media, before) };
  signal.throwIfAborted();
  const { heading, media, problem, offers, isPending } = subject;
  const found = { subject, heading, offers, isPending, problem, source: undefined, media: undefined };
  if (media === undefined) return found;
  const connection = { baseUrl: context.connection.info?.baseUrl ?? '' };
  const locate = ({ url, isOwn = false }: { readonly url: string; readonly isOwn?: boolean }) =>
    locateMedia({ kind: media.kind, url, isOwn, connection, transport: context.transport, signal });
  const toFound = (located: FoundMedia) => {
    const beganAt = target.kind === 'session' ? subject.session?.createdAt : undefined;
    const source = {
      ...{ kind: located.kind, isLive: target.kind === 'stream', startsItself },
      ...(beganAt !== undefined && { beganAt }),
    };
    return { ...found, source, media: located };
  };
  const isOver = ({ playlist }: FoundMedia) => target.kind === 'stream' && isComplete(playlist);
  const dvr = media.dvrUrl === undefined || avoidsDvr ? undefined : await locate({ url: media.dvrUrl });
  if (dvr?.ok && !isOver(dvr.media)) return { ...toFound(dvr.media), isDvr: true };
  const located = await locate(media);
  if (!located.ok) {
    const { gone, ...reconsidered } = await reconsider(context, subject, located.problem);
    return { ...found, ...reconsidered, ...gone };
  }
  if (isOver(located.media)) return { ...found, ...(await reconsiderOver(context, subject)) };
  return toFound(located.media);
}

/**
 * After an outage, the video server may be back before the service that names the URL. The earlier URL
 * belongs to the same broadcast, or to one that has ended (`isComplete`).
 */
function withKnownDvr(media: NonNullable<Subject['media']>, before: Subject | undefined): typeof media {
  return { ...media, dvrUrl: media.dvrUrl ?? before?.media?.dvrUrl };
}

/** A playlist that has ended would play from its beginning, as if it were live. */
function isComplete(playlist: Uint8Array | undefined): boolean {
  return /^#EXT-X-ENDLIST/m.test(new TextDecoder().decode(playlist));
}

export type Reconsidered = Pick<Found, 'problem' | 'subject' | 'isPending' | 'retry'> & {
  /** What is shown and offered if the stream is gone. */
  readonly gone?: { readonly heading: Heading; readonly offers: readonly Action[] };
};

/**
 * Call when nothing was played, because the playlist is that of a broadcast that has ended. A new one may have begun.
 */
export async function reconsiderOver(context: PlayerContext, subject: Subject): Promise<Reconsidered> {
  const found = await reconsider(context, subject, undefined);
  const fact = context.store.snapshot.streams.get(context.target.id);
  return fact !== undefined && isLive(fact) && goesOn(found) ? { ...found, retry: 'beginning' } : found;
}

/** Returns whether the stream is reported as live. Suspending ends a broadcast, which is still reported as active. */
export function goesOn({ subject }: Pick<Found, 'subject'>): boolean {
  return subject?.stream?.isActive === true && subject.stream.suspended !== true;
}

/**
 * Interprets a problem for this subject: a broadcast that is gone has ended, a live one without a playlist is
 * beginning, a missing recording is still being processed. If `problem` is undefined, what was played has ended.
 */
export async function reconsider(
  context: PlayerContext,
  subject: Subject,
  problem: Problem | undefined,
): Promise<Reconsidered> {
  const { target } = context;
  const same = { problem: problem ?? { kind: 'stopped' as const }, subject, isPending: subject.isPending };
  // Any other problem can't be known before.
  const reason = isDenied(same.problem) ? reasonOfRefusal(context.store.snapshot) : undefined;
  if (reason !== undefined) {
    return { ...same, problem: problemOf(reason, ['setApiKey', 'retry']), isPending: false };
  }
  if (problem !== undefined && !isAbsent(problem)) {
    const isLost = mayPass(problem);
    const retried = isLost ? ({ ...problem, isRetried: true } as const) : problem;
    return { ...same, problem: retried, isPending: false, retry: isLost ? 'lost' : undefined };
  }
  if (target.kind === 'clip') return { ...same, isPending: false };
  if (target.kind === 'session') {
    const { session } = subject;
    if (session !== undefined && isToCome(context, session)) {
      return { ...same, problem: processing(context, session) };
    }
    const isForbidden =
      isDenied(same.problem) && session !== undefined && (await tokenPolicy(context, session)) !== undefined;
    const sentence = t('Only viewers with a token can watch this recording.');
    return {
      ...same,
      ...(isForbidden && { problem: problemOf(sentence, ['showDetails', 'retry']) }),
      isPending: false,
    };
  }
  try {
    const stream = await readTarget(context, subject);
    // Suspending ends a broadcast, which the service still reports as active for a while.
    if (stream.isActive && stream.suspended !== true && problem !== undefined) {
      const fact = context.store.snapshot.streams.get(target.id);
      if (isDenied(problem) && hasExpired(context, subject)) {
        return { ...same, problem: { kind: 'opening' }, isPending: false, retry: 'lost' };
      }
      const isBeginning = hasNoPlaylist(problem) && fact !== undefined && isLive(fact);
      const retry = isBeginning ? ('beginning' as const) : undefined;
      return { ...same, problem: await explain(context, problem, { stream, subject }), isPending: false, retry };
    }
    return await endOf(context, stream, subject);
  } catch (error) {
    context.log.debug(`A stream couldn't be read after its broadcast: ${String(error)}`);
    return { ...same, isPending: false, ...(isRefusal(error) && goneStream(subject)) };
  }
}

function reasonOfRefusal(snapshot: Snapshot): string | undefined {
  return snapshot.connection.kind === 'refused' ? outdatedReason(snapshot) : undefined;
}

function goneStream({ heading: { title }, ...subject }: Subject) {
  const heading = { title, facts: [t('Deleted')], isLive: false };
  const sentence = t('This stream was deleted. Its stream key and playback URLs no longer work.');
  return {
    problem: problemOf(sentence, []),
    subject: { ...subject, heading, stream: undefined },
    gone: { heading, offers: [] },
  };
}

/**
 * Returns why there is nothing to play, if the service says so: its policy, or an issue. Otherwise, returns the
 * problem.
 */
async function explain(
  context: PlayerContext,
  problem: Problem,
  { stream, subject }: { readonly stream: Stream; readonly subject: Subject },
): Promise<Problem> {
  const policy = isDenied(problem) ? await tokenPolicy(context, stream) : undefined;
  if (policy !== undefined) {
    // A webhook decides by its own tokens, so signed ones don't help.
    const canSign = policy === 'jwt' && context.store.snapshot.abilities.signingKeys;
    const ways: readonly Action[] = canSign ? ['createSigningKey', 'useSigningKey'] : [];
    const actions: readonly Action[] = [...ways, 'showDetails', 'retry'];
    if (policy === 'webhook') return problemOf(webhookDecides(stream), actions);
    if (subject.tokenUntil !== undefined) return tokenRefused(actions);
    const sentence = t('Only viewers with a token can watch this stream.');
    const detail = t(
      'With a signing key, Live Streams can sign tokens for you. The private key stays on this computer.',
    );
    return problemOf(sentence, actions, canSign ? detail : undefined);
  }
  const [issue] = stream.issues;
  if (issue === undefined) return problem;
  const detail = t('The service reports: {0}', asSentence(oneLine(issue, 300)));
  return problemOf(t("There's nothing to play."), ['retry', 'showDetails'], detail);
}

function tokenRefused(actions: readonly Action[]): Problem {
  const detail = t('Its signing key may have been deleted.');
  return problemOf(t("The token for this stream wasn't accepted."), actions, detail);
}

/** Returns whether the token with which it could be watched has expired. */
function hasExpired({ clock }: PlayerContext, { tokenUntil }: Subject): boolean {
  return tokenUntil !== undefined && clock.elapsed() >= tokenUntil;
}

/**
 * Returns the policy of a stream, or of a session's recording, if the service plays it for viewers with a token only:
 * jwt, or webhook, which decides by its own token.
 */
async function tokenPolicy(
  { connection, log }: PlayerContext,
  {
    playbackId,
    playbackPolicy,
  }: { readonly playbackId: string | undefined; readonly playbackPolicy?: PlaybackPolicy | undefined },
): Promise<string | undefined> {
  if (playbackPolicy !== undefined) return ofTokens(playbackPolicy);
  if (playbackId === undefined) return undefined;
  try {
    return ofTokens(await connection.account.readPlaybackPolicy(playbackId));
  } catch (error) {
    if (!isApiError(error)) throw error;
    log.debug(`A playback policy couldn't be read (${error.reason})`);
    return undefined;
  }
}

function ofTokens(policy: PlaybackPolicy | undefined): string | undefined {
  return policy?.type === 'jwt' || policy?.type === 'webhook' ? policy.type : undefined;
}

async function endOf(
  context: SubjectContext,
  stream: Stream,
  subject: Subject,
): Promise<Pick<Found, 'subject' | 'isPending'> & { readonly problem: Problem }> {
  const broadcast = { first: subject.liveAt, last: stream.lastSeen ?? subject.liveAt };
  const session = await findBroadcastRecording(context, stream.id, broadcast);
  const problem = silentProblem(context, stream, { kind: 'ended', hasRecording: session !== undefined });
  return { problem, subject: { ...subject, ...readNow(context, stream), session }, isPending: true };
}

async function readTarget(
  { connection, target: { id } }: PlayerContext,
  subject: Subject | undefined,
): Promise<Stream> {
  const stream = await connection.account.readStream(id);
  if (stream === undefined) throw streamIsGone({ id, name: subject?.stream?.name ?? '' });
  return stream;
}

function readNow({ drawing }: SubjectContext, stream: Stream) {
  return { stream, readAt: drawing().now };
}

/**
 * Polls once for what the player waits for. While the end of a broadcast is shown, polls for its recording too: the
 * service lists it late. Throws ApiError or a Refusal.
 */
export async function pollTarget(context: PlayerContext, subject: Subject | undefined, shown: Problem | undefined) {
  const { target } = context;
  if (target.kind === 'stream') {
    const stream = await readTarget(context, subject);
    if (subject === undefined || !isSilent(shown)) return { hasCome: stream.isActive, subject };
    const problem = silentProblem(context, stream, shown);
    if (shown.kind === 'notLive')
      return { hasCome: stream.isActive, subject: { ...subject, ...readNow(context, stream) }, problem };
    // A service may report it as active for a while after its playlist has ended. A broadcast is new only if the stream
    // was inactive in between.
    if (stream.isActive) return { hasCome: subject.stream?.isActive !== true, subject, problem };
    if (shown.hasRecording || !stream.record)
      return { hasCome: false, subject: { ...subject, ...readNow(context, stream) }, problem };
    const end = await endOf(context, stream, subject);
    return { hasCome: false, subject: end.subject, problem: end.problem };
  }
  if (target.kind === 'clip') {
    const clip = await findClip(context, target.id);
    return { hasCome: !isBeingMade(clip), subject };
  }
  const parentId = (subject?.session ?? target.session)?.parentId;
  const session = await findAnySession(context, target.id, parentId);
  return { hasCome: !isToCome(context, session), subject: subject && { ...subject, session } };
}

/** Returns whether the network or a server failed, which may pass by itself. */
function mayPass(problem: Problem): boolean {
  if (problem.kind === 'status' || problem.kind === 'segmentStatus') {
    return problem.status === 429 || problem.status >= 500;
  }
  return problem.kind === 'unreachable' || problem.kind === 'timeout' || problem.kind === 'truncatedSegment';
}

function hasNoPlaylist(problem: Problem): boolean {
  return problem.kind === 'emptyPlaylist' || (problem.kind === 'status' && [404, 410].includes(problem.status));
}

function isAbsent(problem: Problem): boolean {
  const isStatus = problem.kind === 'status' || problem.kind === 'segmentStatus';
  return (isStatus && [401, 403, 404, 410].includes(problem.status)) || problem.kind === 'emptyPlaylist';
}

function isDenied(problem: Problem): boolean {
  const isStatus = problem.kind === 'status' || problem.kind === 'segmentStatus';
  return isStatus && [401, 403].includes(problem.status);
}
