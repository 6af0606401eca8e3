import { type Answer, type Caller, createCaller, type LateApiOptions } from './calls.ts';
import { type Clip, decodeClip } from './clips.ts';
import { idOf, timeOf, toRow } from './decode.ts';
import type { ApiError } from './errors.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { clipTasksPath } from './lateRequests.ts';
import { checkId, errorInSuccess, errorOfAnswer, isSuccess, mayLackEndpoint, notOffered, readOne } from './reads.ts';
import type { CallOptions } from './types.ts';

/** The source of a new clip. Times are Unix times in milliseconds, by the service's clock. */
export interface NewClip {
  /** The playback ID of the stream, also for a session. */
  readonly playbackId: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly name?: string | undefined;
  /** Default: the running session of the stream. */
  readonly sessionId?: string | undefined;
}

/**
 * The requests about one clip (src/api/README.md, Clips). None of them is documented. Methods throw ApiError, or an
 * AbortError of their signal.
 */
export class ClipApi {
  readonly #call: Caller;
  readonly #onNotOffered: () => void;
  readonly #secrets: KnownSecrets;

  constructor({ secrets, onNotOffered, ...caller }: LateApiOptions) {
    this.#onNotOffered = onNotOffered;
    this.#secrets = secrets;
    this.#call = createCaller(caller, secrets);
  }

  /** POST /clip. Throws `notFound` if the stream or session doesn't exist, or the service has no such request. */
  async createClip(clip: NewClip): Promise<Clip> {
    const { playbackId, startTime, endTime, name, sessionId } = clip;
    const body = JSON.stringify({ playbackId, startTime, endTime, name, sessionId });
    const answer = await this.#call({ method: 'POST', path: '/clip', body });
    this.#checkOffered(answer);
    return readOne(answer, (json) => decodeClip(toRow(json)?.asset, this.#secrets)).value;
  }

  /** GET /asset/{id}. Throws `notFound` if there is no such clip. */
  async getClip(id: string, { signal }: CallOptions = {}): Promise<Clip> {
    const answer = await this.#call({ path: `/asset/${checkId(id)}`, signal });
    this.#checkOffered(answer);
    return readOne(answer, (json) => decodeClip(json, this.#secrets)).value;
  }

  /** GET /task. Returns the starts of the newest clips by ID, as Unix times in milliseconds. */
  async listStarts({ signal }: CallOptions = {}): Promise<ReadonlyMap<string, number>> {
    return readOne(await this.#call({ path: clipTasksPath(), signal }), decodeStarts).value;
  }

  /** DELETE /asset/{id}. Throws `notFound` if it no longer exists, and `rejected` if it's already deleted. */
  async deleteClip(id: string): Promise<void> {
    const answer = await this.#call({ method: 'DELETE', path: `/asset/${checkId(id)}` });
    this.#checkOffered(answer);
    const error = isSuccess(answer.response.status) ? errorInSuccess(answer) : errorOfAnswer(answer);
    if (error !== undefined) throw error;
  }

  // A 404 may also be about the clip or its source.
  #checkOffered(answer: Answer): void {
    const { status } = answer.response;
    if (status !== 404 && mayLackEndpoint(status)) throw this.#notOffered(answer);
  }

  #notOffered(answer: Answer): ApiError {
    this.#onNotOffered();
    return notOffered(answer);
  }
}

function decodeStarts(json: unknown): ReadonlyMap<string, number> | undefined {
  if (!Array.isArray(json)) return undefined;
  const starts = json.map(toRow).map((task) => {
    const range = toRow(toRow(toRow(task?.params)?.clip)?.clipStrategy);
    return [idOf(task?.outputAssetId), timeOf(range?.startTime)] as const;
  });
  return new Map(starts.filter((each): each is [string, number] => each.every((part) => part !== undefined)));
}
