import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isAbortError } from '../api/errors.ts';
import type { Session } from '../api/types.ts';
import { clipsOfAccount } from '../model/account/accountClips.ts';
import { targetsOf } from '../model/account/accountTargets.ts';
import { knownStream } from '../model/childStreams/knownStream.ts';
import { awaitsTemplates, hlsAddressOf, tryReadTemplates } from '../model/connection/hlsAddress.ts';
import type { ModelContext } from '../model/context.ts';
import { loadStreamsWithTargets } from '../model/multistream/streamsWithTargets.ts';
import type { KeptTarget } from '../model/pages/panelState.ts';
import {
  clipsOf,
  findRecording,
  findSession,
  isBeingMade,
  isRunningIn,
  isUnsettled,
  mergeSessions,
} from '../model/store/sessions.ts';
import { hasRecovered, type Snapshot, type SnapshotChange, type StreamFact } from '../model/store/snapshot.ts';
import { isLive } from '../model/store/streams.ts';
import { isRefusal, Refusal } from '../texts/refusal.ts';
import { idIsGone, serviceOrConnectionOf } from '../texts/refusals.ts';
import { timeSince } from '../util/clock.ts';
import { noteFailure } from './page.ts';
import { listRecordings } from './player/broadcastRecording.ts';
import type { PageTarget } from './player/playerFinder.ts';
import { findAnySession, type SubjectContext } from './player/playerSubject.ts';

type Context = SubjectContext & ModelContext;

export interface DetailsState {
  readonly target: KeptTarget;
  /** Set on a session's page: the session as last read or given. */
  readonly session: Session | undefined;
  /** When the session was read, in milliseconds by the local clock; undefined if it was only given. */
  readonly readAt?: number | undefined;
  /** The stream of a session that isn't loaded yet, if known. */
  readonly parentId?: string | undefined;
  /** The stream's name if known, otherwise ''. */
  readonly name: string;
  /** Where the stream of a stream's page plays, if only the service knows it. */
  readonly hlsUrl?: string | undefined;
  /** Whether its multistream targets were read, or couldn't be. */
  readonly areTargetsRead?: boolean | undefined;
  /** Why the recording of a session's page failed, in the service's words; undefined if it doesn't say. */
  readonly failure?: string | undefined;
  /** When clips begin, by their IDs, as far as it is known: Unix times in milliseconds. */
  readonly clipStarts?: ReadonlyMap<string, number> | undefined;
  /** What is known about a stream that is gone. */
  readonly formerSessions?: readonly Session[] | undefined;
  readonly former?: StreamFact | undefined;
}

export class DetailsModel {
  #context: Context;
  readonly #target: PageTarget;
  /** Incremented by every load; results of older loads are ignored. */
  #loads = 0;
  /** The numbers of the last read of the session that began, and of the read that is shown. */
  #reads = 0;
  #shownRead = 0;
  #session: Session | undefined;
  #readAt: number | undefined;
  #parentId: string | undefined;
  #hlsUrl: string | undefined;
  #areTargetsRead = false;
  #failure: string | undefined;
  #isFailureRead = false;
  #clipStarts: ReadonlyMap<string, number> | undefined;
  /** The stream's sessions as last seen: the store forgets those of a stream that is gone. */
  #sessions: readonly Session[] = [];
  #former: StreamFact | undefined;
  #trouble: string | undefined;
  /** False if the stream or session is gone: retrying doesn't help. */
  #canRecover = false;

  constructor(context: Context, target: PageTarget) {
    this.#context = context;
    this.#target = target;
    this.#session = target.session;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  get canRecover(): boolean {
    return this.#canRecover;
  }

  get isBroken(): boolean {
    return this.#trouble !== undefined && this.#canRecover;
  }

  isRecoveredBy({ previous, current }: SnapshotChange): boolean {
    const isIncomplete = this.isBroken || (this.#target.kind === 'stream' && this.#hlsUrl === undefined);
    return isIncomplete && hasRecovered(previous, current);
  }

  parts(name: string): DetailsState {
    const parts = { target: this.#target, session: this.#session, readAt: this.#readAt, parentId: this.#parentId };
    const late = { hlsUrl: this.#hlsUrl, failure: this.#failure, clipStarts: this.#clipStarts };
    const areTargetsRead = this.#areTargetsRead;
    return { ...parts, ...late, areTargetsRead, name, formerSessions: this.#sessions, former: this.#former };
  }

  /** Keeps what a stream's page shows, for when the stream is gone. */
  keepKnown({ streams, sessions }: Snapshot): void {
    if (this.#target.kind !== 'stream') return;
    const { id } = this.#target;
    const list = sessions.get(id);
    if (list !== undefined && list.items.length > 0) this.#sessions = list.items;
    this.#former = streams.get(id) ?? this.#former;
  }

  /** Called when the connection was opened again: the session's URLs may have changed, or it may be gone. */
  forgetSession(): void {
    this.#parentId = this.#session?.parentId ?? this.#parentId;
    this.#session = undefined;
    this.#hlsUrl = undefined;
    this.#failure = undefined;
    this.#isFailureRead = false;
  }

  forgetTrouble(): void {
    this.#trouble = undefined;
  }

  /** Called when the page's stream was found to be gone, before its sessions are loaded. */
  noteGone(): void {
    this.#trouble = streamIsGoneText();
    this.#canRecover = false;
  }

  /** Continues with other objects for the connection. */
  continueWith(context: Context): void {
    this.stop();
    this.#context = context;
  }

  stop(): void {
    this.#loads += 1;
  }

  /** Loads what isn't known yet. Resolves with false if stopped or superseded by another load. Doesn't throw. */
  async load(name: string): Promise<boolean> {
    const load = ++this.#loads;
    const read = ++this.#reads;
    try {
      const session = await loadSubject(this.#context, this.parts(name));
      await readIngestUrls(this.#context);
      const hlsUrl = await findHlsUrl(this.#context, this.parts(name));
      if (load !== this.#loads) return false;
      this.#keep(session, read);
      this.#hlsUrl = hlsUrl ?? this.#hlsUrl;
      this.#trouble = undefined;
    } catch (error) {
      if (load !== this.#loads) return false;
      const sessions = isRefusal(error) && this.#target.kind === 'stream' ? await this.#readLeft() : this.#sessions;
      if (load !== this.#loads) return false;
      this.#sessions = sessions;
      this.#trouble = this.#troubleOf(error);
      this.#canRecover = !isRefusal(error);
    }
    return true;
  }

  /** Resolves with whether the service has responded. Doesn't throw. */
  async poll(name: string, intervalMs: number): Promise<boolean> {
    const read = ++this.#reads;
    try {
      this.#keep(await pollSubject(this.#context, this.parts(name), intervalMs), read);
      if (awaitsTemplates(this.#context)) await readIngestUrls(this.#context);
      return true;
    } catch (error) {
      this.#context.log.debug(`Polling the details failed: ${String(error)}`);
      return false;
    }
  }

  // The read of the session that began last counts, though it may have ended first.
  #keep(session: Session | undefined, read: number): void {
    if (read < this.#shownRead) return;
    this.#shownRead = read;
    if (session !== this.#session) this.#readAt = this.#context.drawing().now;
    this.#session = session;
  }

  /**
   * Reads the health of a live stream, or that of a running session, unless it was read a moment ago. Doesn't throw.
   */
  async readHealth(): Promise<void> {
    const { loader, store } = this.#context;
    const { id, kind } = this.#target;
    const session = kind === 'session' ? knownSession(store.snapshot, this.parts('')) : undefined;
    const isRunning = session !== undefined && isRunningIn(store.snapshot, session);
    const streamId = kind === 'stream' ? id : isRunning ? session.parentId : undefined;
    if (streamId !== undefined) await loader.readHealth([streamId]);
  }

  /** Reads once why the recording of a session's page failed: its asset says so. Doesn't throw. */
  async readFailure(): Promise<void> {
    if (this.#isFailureRead || this.#session?.recordingStatus !== 'failed') return;
    this.#isFailureRead = true;
    this.#failure = await clipsOfAccount(this.#context.connection.account).readFailure(this.#session.id);
  }

  /** Reads the clips of a session's stream, once, or again while some are being made. Doesn't throw. */
  async readClips(): Promise<void> {
    const { loader, store, connection } = this.#context;
    const { id, kind } = this.#target;
    const streamId = this.#session?.parentId;
    if (kind !== 'session' || streamId === undefined) return;
    if (store.snapshot.clips.get(streamId)?.some(isBeingMade)) await loader.pollClips();
    else await loader.ensureClips([streamId]);
    const clips = clipsOf(store.snapshot, streamId, id).map((clip) => clip.id);
    this.#clipStarts = await clipsOfAccount(connection.account).readStarts(clips);
  }

  /** Reads the multistream targets of the stream, unless they were read a moment ago. Doesn't throw. */
  async readTargets(): Promise<void> {
    const { store, connection, log } = this.#context;
    const { id, kind } = this.#target;
    const fact = kind === 'stream' ? store.snapshot.streams.get(id) : undefined;
    if (fact === undefined) return;
    const hasSome = (fact.stream.targets ?? []).length > 0;
    try {
      const others = hasSome && loadStreamsWithTargets(this.#context);
      await Promise.all([targetsOf(connection.account).ensure(fact.stream), others]);
    } catch (error) {
      log.debug(`The multistream targets couldn't be read: ${String(error)}`);
    }
    this.#areTargetsRead = true;
  }

  /** The service keeps the recordings of streams that were deleted. */
  async #readLeft(): Promise<readonly Session[]> {
    try {
      return mergeSessions(this.#sessions, await listRecordings(this.#context, this.#target.id));
    } catch (error) {
      if (!isAbortError(error)) throw error;
      return this.#sessions;
    }
  }

  #troubleOf(error: unknown): string | undefined {
    const { log } = this.#context;
    if (isAbortError(error)) return undefined;
    if (isRefusal(error)) return error.sentence;
    noteFailure(log, 'The details could not be loaded', error);
    return describeError(error, { service: serviceOrConnectionOf(this.#context, error) });
  }
}

function streamIsGoneText(): string {
  return t('This stream no longer exists.');
}

/**
 * Loads what the page shows and the store doesn't have yet. Resolves with the session on a session's page. Throws
 * ApiError, or a Refusal if the stream or session is gone.
 */
async function loadSubject(
  context: Context,
  { target, session, parentId: likely, name }: DetailsState,
): Promise<Session | undefined> {
  const { id, kind } = target;
  const { account } = context.connection;
  if (kind === 'stream') {
    const known = knownStream(context, id) ?? (await account.readStream(id));
    // The title has the name, if it's known.
    if (known === undefined) throw name === '' ? idIsGone(context, id) : new Refusal(streamIsGoneText());
    await context.loader.ensureSessions(id);
    return undefined;
  }
  const found = session ?? (await findAnySession(context, id, likely));
  const { parentId } = found;
  // Only for the stream's name and state; the stream may have been deleted.
  if (parentId !== undefined && knownStream(context, parentId) === undefined) await tryReadParent(context, parentId);
  return isUnsettled(found) ? found : account.withAddress(found, 'mp4Url');
}

/** Requests the service's ingest URLs, unless the settings have them. The service never says where it takes WHIP. */
async function readIngestUrls(context: Context): Promise<void> {
  await tryReadTemplates(context, 'rtmp');
  await tryReadTemplates(context, 'srt');
}

/** Returns where the page's stream plays; undefined if unknown, or if the request fails. */
async function findHlsUrl(context: Context, { target }: DetailsState): Promise<string | undefined> {
  const stream = target.kind === 'stream' ? knownStream(context, target.id) : undefined;
  try {
    return stream && (await hlsAddressOf(context, stream));
  } catch (error) {
    context.log.debug(`The playback URL of a stream couldn't be read: ${String(error)}`);
    return undefined;
  }
}

/**
 * Refreshes what is shown, unless the tree's polls did so within `intervalMs`. A stream is read by its ID; its sessions
 * are listed while it's live or one of its recordings is being processed. Throws ApiError.
 */
async function pollSubject(
  context: Context,
  { target, session }: DetailsState,
  intervalMs: number,
): Promise<Session | undefined> {
  const { store, loader, clock } = context;
  if (target.kind === 'session') {
    const known = session && knownSession(store.snapshot, { target, session });
    const isMoving = known !== undefined && (isUnsettled(known) || isRunningIn(store.snapshot, known));
    return isMoving ? findAnySession(context, target.id, known.parentId) : session;
  }
  const fact = store.snapshot.streams.get(target.id);
  const isDue = fact !== undefined && timeSince(fact.startedAt, clock.now()) >= intervalMs;
  if (isDue) await context.connection.account.readStream(target.id);
  const read = store.snapshot.streams.get(target.id);
  // A refresh drops the sessions of streams that are collapsed in the tree.
  await loader.ensureSessions(target.id);
  const sessions = store.snapshot.sessions.get(target.id);
  const wasLive = [fact, read].some((each) => each !== undefined && isLive(each));
  const isMoving = wasLive || sessions?.items.some(isUnsettled) === true;
  const isOld = timeSince(sessions?.loadedAt, clock.now()) >= intervalMs;
  if (isMoving && isOld && sessions?.isLoaded === true) await loader.pollSessions([target.id]);
  return undefined;
}

/** Returns the session of a session's page: the store's version, plus URLs that only a read by ID returned. */
export function knownSession(
  snapshot: Snapshot,
  { target, session }: Pick<DetailsState, 'target' | 'session'>,
): Session | undefined {
  const parentId = session?.parentId;
  const listed = parentId === undefined ? undefined : findSession(snapshot, parentId, target.id);
  const known = listed ?? findRecording(snapshot, target.id);
  if (known === undefined || session === undefined) return known ?? session;
  const isReadSettled = isUnsettled(known) && !isUnsettled(session);
  const newer = isReadSettled ? session : known;
  return {
    ...newer,
    parentId: newer.parentId ?? parentId,
    parentName: newer.parentName ?? session.parentName,
    recordingUrl: newer.recordingUrl ?? session.recordingUrl,
    mp4Url: newer.mp4Url ?? session.mp4Url,
  };
}

export function hasGone({ previous, current }: SnapshotChange, { target }: Pick<DetailsState, 'target'>): boolean {
  return target.kind === 'stream' && previous.streams.has(target.id) && !current.streams.has(target.id);
}

/**
 * Returns whether a service that wasn't reached has sent a stream since, such as to a command that was retried. The
 * next poll may be a minute away.
 */
export function hasAnswered({ previous, current: { streams, trouble, lists } }: SnapshotChange): boolean {
  if (streams === previous.streams || trouble?.error.isConnectionLoss !== true || lists.active.isLoading) return false;
  return [...streams.values()].some(({ startedAt }) => startedAt > trouble.at);
}

/** Returns whether a store change concerns the page. */
export function isOther(
  { previous, current }: SnapshotChange,
  { target, session }: Pick<DetailsState, 'target' | 'session'>,
): boolean {
  const streamId = target.kind === 'stream' ? target.id : session?.parentId;
  if (previous.settings !== current.settings) return true;
  if (previous.connectionNames !== current.connectionNames) return true;
  if (previous.showsAllConnections !== current.showsAllConnections) return true;
  if (previous.trouble !== current.trouble) return true;
  if (previous.recordings !== current.recordings && target.kind === 'session') return true;
  if (streamId === undefined) return false;
  return (
    previous.streams.get(streamId) !== current.streams.get(streamId) ||
    previous.testBroadcasts.get(streamId) !== current.testBroadcasts.get(streamId) ||
    previous.targets !== current.targets ||
    previous.health.get(streamId) !== current.health.get(streamId) ||
    previous.abilities !== current.abilities ||
    previous.clips.get(streamId) !== current.clips.get(streamId) ||
    previous.sessions.get(streamId) !== current.sessions.get(streamId)
  );
}

async function tryReadParent(context: Context, streamId: string): Promise<void> {
  try {
    await context.connection.account.readStream(streamId);
  } catch (error) {
    context.log.debug(`The stream of a session couldn't be read: ${String(error)}`);
  }
}
