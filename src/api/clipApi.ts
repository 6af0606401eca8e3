import { type Answer, type Caller, createCaller, type LateApiOptions } from './calls.ts';
import { type Clip, decodeClip } from './clips.ts';
import { toRow } from './decode.ts';
import type { ApiError } from './errors.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { checkId, errorInSuccess, errorOfAnswer, isSuccess, mayLackEndpoint, notOffered, readOne } from './reads.ts';
import type { CallOptions } from './types.ts';

/** What a clip is cut from. Times are Unix times in milliseconds, by the clock of the service. */
export interface NewClip {
  /** That of the stream, also for a session. */
  readonly playbackId: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly name?: string | undefined;
  /** Default: the running session of the stream. */
  readonly sessionId?: string | undefined;
}

/**
 * The requests about one clip (src/api/README.md, Clips). None of them is stated. Methods throw ApiError, or an
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

  /** POST /clip. Throws `notFound` if the stream or session isn't there, or the service has no such request. */
  async createClip(clip: NewClip, { signal }: CallOptions = {}): Promise<Clip> {
    const { playbackId, startTime, endTime, name, sessionId } = clip;
    const body = JSON.stringify({ playbackId, startTime, endTime, name, sessionId });
    const answer = await this.#call({ method: 'POST', path: '/clip', body, signal });
    this.#checkOffered(answer);
    return readOne(answer, (json) => decodeClip(toRow(json)?.asset, this.#secrets)).value;
  }

  /** GET /asset/{id}. Throws `notFound` if there is no such clip. */
  async getClip(id: string, { signal }: CallOptions = {}): Promise<Clip> {
    const answer = await this.#call({ path: `/asset/${checkId(id)}`, signal });
    this.#checkOffered(answer);
    return readOne(answer, (json) => decodeClip(json, this.#secrets)).value;
  }

  /** DELETE /asset/{id}. Throws `notFound` if it no longer exists, and `rejected` if it is deleted already. */
  async deleteClip(id: string, { signal }: CallOptions = {}): Promise<void> {
    const answer = await this.#call({ method: 'DELETE', path: `/asset/${checkId(id)}`, signal });
    this.#checkOffered(answer);
    const error = isSuccess(answer.response.status) ? errorInSuccess(answer) : errorOfAnswer(answer);
    if (error !== undefined) throw error;
  }

  // A 404 may also be about the clip, or what it is cut from.
  #checkOffered(answer: Answer): void {
    const { status } = answer.response;
    if (status !== 404 && mayLackEndpoint(status)) throw this.#notOffered(answer);
  }

  #notOffered(answer: Answer): ApiError {
    this.#onNotOffered();
    return notOffered(answer);
  }
}
