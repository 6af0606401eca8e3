import { type ApiError, isApiError } from '../../api/errors.ts';
import type { StreamApi } from '../../api/streamApi.ts';
import type { NewStream, Stream, StreamQuery } from '../../api/types.ts';
import { forEachLimit } from '../../util/async.ts';
import { timeSince } from '../../util/clock.ts';
import { type Change, showsChange } from '../changes.ts';
import { isChildStream } from '../childStreams/childStreams.ts';
import type { Operation } from '../store/snapshot.ts';
import { type AccountParts, createdPerAccount, type LateRequests } from './accountParts.ts';
import { confirmChange, readStream, readUntil } from './reads.ts';
import { INEXACT_MS, mayHaveHappened, orUnread } from './sentOnce.ts';

interface ChangeParts extends AccountParts {
  readonly recentEnds: RecentEnds;
}

/** Statuses from a service that doesn't delete several streams with one request or drops the body of a DELETE. */
const REFUSES_TOGETHER: ReadonlySet<number> = new Set([400, 404, 405, 411, 413, 415, 422, 501]);
const REFUSED_AT_MOST = 2;
const READ_AT_ONCE = 10;

/** Changes streams of one open connection. Requests that were sent aren't aborted when it closes. */
export class AccountChanges {
  readonly #parts: ChangeParts;
  readonly #markRefused: LateRequests['markRefused'];
  readonly #creating = new Set<string>();
  #refusedTogether = 0;

  constructor({ parts, markRefused, onDidReset }: LateRequests) {
    this.#parts = { ...parts, recentEnds: new RecentEnds() };
    this.#markRefused = markRefused;
    onDidReset(() => {
      this.#refusedTogether = 0;
    });
  }

  /** Sends a change once and reads the stream back. Doesn't throw ApiError. */
  async change(id: string, change: Change): Promise<ChangeOutcome> {
    const outcome = await changeStream(this.#parts, id, change);
    if (outcome.kind === 'failed') this.#markRefused(outcome.error);
    return outcome;
  }

  /** Returns the milliseconds until a stream's broadcast that was just ended can be ended again. */
  pauseBeforeEnding(id: string): number {
    const { recentEnds, clock } = this.#parts;
    return recentEnds.waitFor(id, clock.now());
  }

  /** False once the service has refused to delete several streams with one request, until the user refreshes. */
  get canDeleteTogether(): boolean {
    return this.#refusedTogether < REFUSED_AT_MOST;
  }

  /**
   * Deletes streams with one request and reads each back. Returns undefined if the service refuses to delete several at
   * once or refuses these: nothing was deleted then. Doesn't end broadcasts or throw ApiError.
   */
  async deleteTogether(ids: readonly string[]): Promise<ReadonlyMap<string, DeletionOutcome> | undefined> {
    let failure: ApiError | undefined;
    try {
      await this.#parts.api.deleteStreams(ids);
      this.#refusedTogether = 0;
    } catch (error) {
      if (!isApiError(error)) throw error;
      const { reason, status = 0, message } = error;
      this.#parts.log.warn(`Deleting ${ids.length} streams failed (${reason}): ${message}`);
      if (REFUSES_TOGETHER.has(status)) {
        // A single stream that is gone also causes a 404.
        this.#refusedTogether += status === 404 ? 1 : REFUSED_AT_MOST;
        return undefined;
      }
      if (!mayHaveHappened(error)) {
        this.#markRefused(error);
        return new Map(ids.map((id) => [id, { kind: 'failed', error }]));
      }
      failure = error;
    }
    const outcomes = new Map<string, DeletionOutcome>();
    await forEachLimit(ids, READ_AT_ONCE, async (id) => {
      outcomes.set(id, await deletionOf(this.#parts, id, failure));
    });
    return outcomes;
  }

  /** Creates a stream with a single request. If its response is lost, searches for it. Doesn't throw ApiError. */
  async create(stream: NewStream): Promise<CreateOutcome> {
    this.#creating.add(stream.name);
    const outcome = await createStream(this.#parts, stream).finally(() => this.#creating.delete(stream.name));
    if (outcome.kind === 'failed') this.#markRefused(outcome.error);
    return outcome;
  }

  isCreating(name: string): boolean {
    return this.#creating.has(name);
  }
}

export const changesOf = createdPerAccount(
  ({ lateRequests }: { readonly lateRequests: LateRequests }) => new AccountChanges(lateRequests),
);

/** The outcome of a change that was sent. */
export type ChangeOutcome =
  | { readonly kind: 'done' }
  /** The request failed or got no response, but reading the stream back shows the change. */
  | { readonly kind: 'doneDespite'; readonly error: ApiError }
  | { readonly kind: 'refusedAsLive' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: ApiError }
  /** May have happened: the response was lost or a server error, and reading the stream back doesn't show it. */
  | { readonly kind: 'uncertain'; readonly error: ApiError };

type DeletionOutcome = Exclude<ChangeOutcome, { readonly kind: 'refusedAsLive' }>;

/** The outcome of a creation that was sent. */
export type CreateOutcome =
  | { readonly kind: 'done'; readonly stream: Stream }
  /** The request failed or got no response, but the stream is among the newest. */
  | { readonly kind: 'doneDespite'; readonly stream: Stream; readonly error: ApiError }
  | { readonly kind: 'failed'; readonly error: ApiError }
  /** It may have been created, but isn't among the newest streams. */
  | { readonly kind: 'notFound'; readonly error: ApiError }
  /** It may have been created. The newest streams couldn't be read or are inconclusive. */
  | { readonly kind: 'uncertain'; readonly error: ApiError };

/** Uses the response instead of reading the stream back, because a replica may not have it yet. */
async function createStream(parts: AccountParts, stream: NewStream): Promise<CreateOutcome> {
  const { api, clock, log, writer } = parts;
  const before = { at: clock.elapsed(), ids: new Set(writer.snapshot.streams.keys()) };
  try {
    const created = await api.createStream(stream);
    writer.created(created.value, created);
    return { kind: 'done', stream: created.value };
  } catch (error) {
    if (!isApiError(error)) throw error;
    log.warn(`Creating a stream failed (${error.reason}): ${error.message}`);
    if (!mayHaveHappened(error)) return { kind: 'failed', error };
    const found = await orUnread(parts, 'Creating a stream', () => findCreated(parts, stream.name, before));
    if (found?.kind === 'found') return { kind: 'doneDespite', stream: found.stream, error };
    return { kind: found?.kind === 'notFound' ? 'notFound' : 'uncertain', error };
  }
}

/** Sends a change without retries, even if the connection closes in the meantime, and reads the stream back. */
async function changeStream(parts: ChangeParts, id: string, change: Change): Promise<ChangeOutcome> {
  try {
    await send(parts.api, id, change);
    noteEnd(parts, id, change);
  } catch (error) {
    if (!isApiError(error)) throw error;
    parts.log.warn(`${change.operation} ${id} failed (${error.reason}): ${error.message}`);
    if (mayHaveHappened(error)) noteEnd(parts, id, change);
    return afterFailure(parts, { id, change, error });
  }
  // A confirmed change counts as done, even if reading it back fails or a lagging replica responds.
  const { kind } = await readBack(parts, id, change);
  if (change.operation === 'deleting' && kind !== 'shown') parts.writer.gone(id);
  return { kind: 'done' };
}

/** @param failure the error of the request, if the service may have carried it out anyway */
async function deletionOf(parts: AccountParts, id: string, failure: ApiError | undefined): Promise<DeletionOutcome> {
  const { kind } = await readBack(parts, id, { operation: 'deleting' });
  if (kind === 'shown') return failure === undefined ? { kind: 'done' } : { kind: 'doneDespite', error: failure };
  if (failure !== undefined) return { kind: 'uncertain', error: failure };
  parts.writer.gone(id);
  return { kind: 'done' };
}

function send(api: StreamApi, id: string, change: Change): Promise<void> {
  switch (change.operation) {
    case 'renaming':
      return api.patchStream(id, { name: change.name });
    case 'turningRecordingOn':
      return api.patchStream(id, { record: true });
    case 'turningRecordingOff':
      return api.patchStream(id, { record: false });
    case 'suspending':
      return api.patchStream(id, { suspended: true });
    case 'resuming':
      return api.patchStream(id, { suspended: false });
    case 'settingPolicy':
      return api.setPlaybackPolicy(id, change.policy);
    case 'settingTags':
      return api.patchStream(id, { userTags: change.tags });
    case 'settingRenditions':
      return api.patchStream(id, { profiles: change.profiles });
    case 'endingBroadcast':
      return api.endBroadcast(id);
    case 'deleting':
      return api.deleteStream(id);
  }
}

function noteEnd({ recentEnds, clock }: ChangeParts, id: string, { operation }: Change): void {
  if (operation === 'endingBroadcast') recentEnds.note(id, clock.now());
}

const REFUSED_WHILE_LIVE: ReadonlySet<Operation> = new Set([
  'turningRecordingOn',
  'turningRecordingOff',
  'settingRenditions',
]);

async function afterFailure(
  parts: AccountParts,
  { id, change, error }: { readonly id: string; readonly change: Change; readonly error: ApiError },
): Promise<ChangeOutcome> {
  if (error.reason === 'notFound') {
    parts.writer.gone(id);
    return { kind: 'gone' };
  }
  if (mayHaveHappened(error)) {
    const { kind } = await readBack(parts, id, change);
    if (kind === 'shown') return { kind: 'doneDespite', error };
    return kind === 'gone' ? { kind: 'gone' } : { kind: 'uncertain', error };
  }
  const isRefused = error.reason === 'rejected' && error.why === undefined;
  if (isRefused && REFUSED_WHILE_LIVE.has(change.operation) && (await isLiveNow(parts, id)))
    return { kind: 'refusedAsLive' };
  return { kind: 'failed', error };
}

/**
 * shown: the change is visible (for a deletion: the stream doesn't exist). gone: the stream doesn't exist, though not
 * because of this change. unread: it couldn't be read, or the connection has closed.
 */
type ReadBack = { readonly kind: 'shown' | 'notShown' | 'gone' | 'unread' };

async function readBack(parts: AccountParts, id: string, change: Change): Promise<ReadBack> {
  const read = await orUnread(parts, `${change.operation} ${id}`, async () => ({
    stream: await confirmChange(parts, id, (stream) => showsChange(change, stream)),
  }));
  if (read === undefined) return { kind: 'unread' };
  if (showsChange(change, read.stream)) return { kind: 'shown' };
  return { kind: read.stream === undefined ? 'gone' : 'notShown' };
}

async function isLiveNow(parts: AccountParts, id: string): Promise<boolean> {
  const stream = await orUnread(parts, `A change of ${id}`, () => readStream(parts, id, { settle: true }));
  return stream?.isActive === true;
}

/** The state before a stream's creation is requested. */
interface BeforeCreation {
  /** By the clock's `elapsed`. */
  readonly at: number;
  /** The IDs of the streams that were known, which can't be the new one. */
  readonly ids: ReadonlySet<string>;
}

type CreationSearch =
  | { readonly kind: 'found'; readonly stream: Stream }
  /** unclear: a stream with that name is older by the service's clock or has no creation time. */
  | { readonly kind: 'notFound' | 'unclear' };

// How many streams others may have created in the meantime.
const NEWEST = 20;

/**
 * Searches the newest streams for one whose creation got no response, up to 3 times in 5 s, since lists come from a
 * replica. Names aren't unique, so it must be as new as the request. Shows its row.
 */
async function findCreated(parts: AccountParts, name: string, before: BeforeCreation): Promise<CreationSearch> {
  const { api, clock, writer, signal } = parts;
  const query: StreamQuery = { parentsOnly: true, limit: NEWEST, order: 'createdAt-true,id-true' };
  const find = async () => {
    const page = await api.listStreams(query, { signal, brief: true });
    const since = page.serverDate - (clock.elapsed() - before.at) - INEXACT_MS;
    const named = page.items.filter(
      (stream) => stream.name === name && !before.ids.has(stream.id) && !isChildStream(stream),
    );
    return { page, named, stream: named.find(({ createdAt }) => createdAt !== undefined && createdAt >= since) };
  };
  const { page, named, stream } = await readUntil(parts, find, (found) => found.stream !== undefined);
  if (stream === undefined) return { kind: named.length > 0 ? 'unclear' : 'notFound' };
  writer.created(stream, page);
  return { kind: 'found', stream };
}

// The service refuses to end a broadcast twice within this time (src/api/README.md, Changes).
const PAUSE_MS = 5000;

/** Remembers which broadcasts this window has just ended, so that the next attempt waits instead of being refused. */
export class RecentEnds {
  readonly #endedAt = new Map<string, number>();

  /** Returns milliseconds until this stream's broadcast may be ended again; 0 = now. */
  waitFor(streamId: string, now: number): number {
    return Math.max(0, PAUSE_MS - timeSince(this.#endedAt.get(streamId), now));
  }

  note(streamId: string, now: number): void {
    for (const [id, endedAt] of this.#endedAt) {
      if (timeSince(endedAt, now) > PAUSE_MS) this.#endedAt.delete(id);
    }
    this.#endedAt.set(streamId, now);
  }
}
