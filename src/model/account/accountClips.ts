import { ClipApi, type NewClip } from '../../api/clipApi.ts';
import type { Clip } from '../../api/clips.ts';
import { isApiError, orNone } from '../../api/errors.ts';
import { delay } from '../../util/clock.ts';
import { oneLine } from '../../util/text.ts';
import { isBeingMade } from '../store/sessions.ts';
import type { Account } from './account.ts';
import { createdPerAccount } from './accountParts.ts';
import { readUntil } from './reads.ts';
import { deleteOnce, INEXACT_MS, mayHaveHappened, orUnread, sendOnce } from './sentOnce.ts';

// Pauses between reads of a clip that is being made. The last one is repeated.
const PAUSES_MS: readonly number[] = [1000, 1000, 2000, 3000];
/** How many reads in a row may fail for a transient reason. */
const FAILURES_AT_MOST = 5;
const LONGEST_FAILURE = 300;

/**
 * Clips of one open connection. Clips that are read are written to the store. Methods throw ApiError, and an AbortError
 * if the connection closes before a read.
 */
export class AccountClips {
  readonly #account: Account;
  readonly #api: ClipApi;
  /** When clips begin, by their IDs. */
  readonly #starts = new Map<string, number>();
  readonly #startsSought = new Set<string>();
  /** Why recordings failed, by the IDs of their sessions. */
  readonly #failures = new Map<string, string>();

  constructor(account: Account) {
    const { apiOptions, lose } = account.lateRequests;
    this.#account = account;
    this.#api = new ClipApi({ ...apiOptions, onNotOffered: () => lose('clips') });
  }

  /** False once the service has responded that it has no clips, until the user refreshes. */
  get isOffered(): boolean {
    return this.#account.lateRequests.abilities().clips;
  }

  /** Creates a clip with a single request. If its response is lost, searches for the clip. */
  async create(streamId: string, clip: NewClip): Promise<Clip> {
    const { serviceTime: startedAt, lateRequests, writer } = this.#account;
    const known = new Set(writer.snapshot.clips.get(streamId)?.map(({ id }) => id));
    const isMade = ({ id, name, createdAt = 0 }: Clip) =>
      !known.has(id) && createdAt >= startedAt - INEXACT_MS && (clip.name === undefined || clip.name === name);
    const what = 'Creating a clip';
    const made = await sendOnce(lateRequests, what, {
      send: async () => {
        try {
          return await this.#api.createClip(clip);
        } catch (error) {
          // Listing finds out whether the service has no clips at all.
          if (isApiError(error, 'notFound')) await orUnread(lateRequests.parts, what, () => this.#list(streamId));
          throw error;
        }
      },
      find: () => readUntil(lateRequests.parts, async () => (await this.#list(streamId)).find(isMade)),
    });
    this.#starts.set(made.id, clip.startTime);
    this.#account.writer.clipRead(streamId, made);
    return made;
  }

  /** Throws `notFound` if there is no such clip. */
  async read(streamId: string, id: string, signal?: AbortSignal): Promise<Clip> {
    const clip = await this.#account.lateRequests.run((either) => this.#api.getClip(id, { signal: either }), signal);
    this.#account.writer.clipRead(streamId, clip);
    return clip;
  }

  /** Like `read`, but also accepts an unknown stream (''). Returns undefined if the clip is gone. */
  find(streamId: string, id: string): Promise<Clip | undefined> {
    const { run } = this.#account.lateRequests;
    const read = streamId === '' ? run((signal) => this.#api.getClip(id, { signal })) : this.read(streamId, id);
    return orNone(read, 'notFound');
  }

  /**
   * Returns why a recording failed, in one line, if its asset on the service has a reason. Doesn't read known reasons
   * again. Doesn't throw.
   */
  async readFailure(sessionId: string): Promise<string | undefined> {
    if (!this.isOffered) return undefined;
    const read = () => this.find('', sessionId);
    const what = 'Reading why a recording failed';
    const problem =
      this.#failures.get(sessionId) ?? (await orUnread(this.#account.lateRequests.parts, what, read))?.problem;
    if (problem === undefined) return undefined;
    this.#failures.set(sessionId, problem);
    return oneLine(problem, LONGEST_FAILURE);
  }

  /**
   * Returns when clips begin, by their IDs, as far as the service lists the requests to make them: Unix times in
   * milliseconds. Looks for each clip only once. Doesn't throw.
   */
  async readStarts(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const due = ids.filter((id) => !this.#starts.has(id) && !this.#startsSought.has(id));
    for (const id of due) this.#startsSought.add(id);
    const { parts, run } = this.#account.lateRequests;
    const read = () => run((signal) => this.#api.listStarts({ signal }));
    const starts = due.length === 0 ? undefined : await orUnread(parts, 'Reading when clips begin', read);
    for (const [id, at] of starts ?? []) this.#starts.set(id, at);
    return this.#starts;
  }

  /** Reads a clip until it's ready or has failed. Tolerates a few transient errors in a row. */
  async untilMade(streamId: string, made: Clip, signal: AbortSignal, onRead?: (clip: Clip) => void): Promise<Clip> {
    const { apiOptions } = this.#account.lateRequests;
    let clip = made;
    let failures = 0;
    for (let turn = 0; isBeingMade(clip); turn++) {
      onRead?.(clip);
      await delay(apiOptions.clock, PAUSES_MS[Math.min(turn, PAUSES_MS.length - 1)] ?? 0, signal);
      try {
        clip = await this.read(streamId, clip.id, signal);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!isApiError(error) || !error.isTransient || failures > FAILURES_AT_MOST) throw error;
      }
    }
    return clip;
  }

  /** Deletes a clip with a single request. A clip that is already gone isn't an error. */
  async delete(streamId: string, id: string): Promise<void> {
    const { lateRequests, signal } = this.#account;
    await deleteOnce(lateRequests, `Deleting the clip ${id}`, {
      send: () => this.#api.deleteClip(id),
      isThere: async () => !isDeleted(await this.#api.getClip(id, { signal })),
      // A deleted clip can't be deleted.
      isDoubtful: (error) => mayHaveHappened(error) || isApiError(error, 'rejected'),
    });
    if (streamId !== '') this.#account.writer.clipGone(streamId, id);
  }

  async #list(streamId: string): Promise<readonly Clip[]> {
    const clips = await this.#account.listClips(streamId);
    this.#account.writer.clipsListed(streamId, clips);
    return clips;
  }
}

/** Returns the clips of an account, always the same object. */
export const clipsOfAccount = createdPerAccount((account: Account) => new AccountClips(account));

export function isDeleted({ phase }: Clip): boolean {
  return phase === 'deleting' || phase === 'deleted';
}
