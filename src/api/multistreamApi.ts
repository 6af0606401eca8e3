import { type Answer, type Caller, createCaller, type LateApiOptions } from './calls.ts';
import { booleanOf, decodeRows, decodeStream, idOf, textOf, timeOf, toRow, wholeOf } from './decode.ts';
import type { ApiError } from './errors.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { requestAll } from './lateRequests.ts';
import type { MultistreamTarget, NewTarget, ReusedTarget, TargetPatch } from './multistream.ts';
import {
  changeNotFound,
  checkId,
  mayLackEndpoint,
  notOffered,
  readAnswer,
  readOne,
  requireSuccess,
  wrongShape,
} from './reads.ts';
import type { CallOptions } from './types.ts';

const TARGETS = '/multistream/target';
// Paths of ingest servers, such as "live2" and "livestream", aren't keys.
const SHORTEST_KEY = 12;

/**
 * The requests about multistream targets (src/api/README.md, Multistream). None of them is documented. Methods throw
 * ApiError, or an AbortError of their signal. URLs of targets are noted, so that no output shows them.
 */
export class MultistreamApi {
  readonly #call: Caller;
  readonly #secrets: KnownSecrets;
  readonly #onNotOffered: () => void;
  #userId: string | undefined;

  constructor({ secrets, onNotOffered, ...caller }: LateApiOptions) {
    this.#onNotOffered = onNotOffered;
    this.#secrets = secrets;
    this.#call = createCaller(caller, secrets);
  }

  /** GET /multistream/target: all targets of the account. Throws `rejected` (notOffered) if the service lacks it. */
  async listTargets({ signal }: CallOptions = {}): Promise<readonly MultistreamTarget[]> {
    const stated = [['userId', await this.#readUserId({ signal })]] as const;
    const answer = await requestAll(this.#call, TARGETS, { signal, stated });
    if (mayLackEndpoint(answer.response.status)) throw this.#notOffered(answer);
    const rows = readAnswer(answer);
    if (!Array.isArray(rows)) throw wrongShape(answer);
    return decodeRows(rows, (row) => this.#decode(row)).items;
  }

  /** GET /multistream/target/{id}. Throws `notFound` if there is no such target. */
  async getTarget(id: string, { signal }: CallOptions = {}): Promise<MultistreamTarget> {
    const answer = await this.#call({ path: `${TARGETS}/${checkId(id)}`, signal });
    return readOne(answer, (row) => this.#decode(row)).value;
  }

  /**
   * POST /stream/{id}/create-multistream-target. Returns undefined if the service doesn't send the target back. Throws
   * `notFound` if the stream is gone.
   */
  async addTarget(streamId: string, target: NewTarget | ReusedTarget) {
    const body = JSON.stringify({ profile: target.profile, ...this.#referenceTo(target) });
    const path = `/stream/${checkId(streamId)}/create-multistream-target`;
    const answer = await this.#change('POST', path, body, () => this.#checkStream(streamId));
    const isEmpty = answer.response.status === 204 || answer.response.body.byteLength === 0;
    return isEmpty ? undefined : readOne(answer, (row) => this.#decode(row)).value;
  }

  /** DELETE /stream/{id}/multistream/{targetId}: the stream stops using it. Throws `notFound` if the stream is gone. */
  async removeTarget(streamId: string, targetId: string): Promise<void> {
    const path = `/stream/${checkId(streamId)}/multistream/${checkId(targetId)}`;
    await this.#change('DELETE', path, undefined, () => this.#checkStream(streamId));
  }

  /** PATCH /multistream/target/{id}, for all streams that use it. Throws `notFound` if there is no such target. */
  async patchTarget(id: string, { isDisabled, name, url }: TargetPatch): Promise<void> {
    if (url !== undefined) this.#noteUrl(url);
    const path = `${TARGETS}/${checkId(id)}`;
    await this.#change('PATCH', path, JSON.stringify({ disabled: isDisabled, name, url }), async () => {
      await this.getTarget(id);
    });
  }

  /** @param checkSubject throws `notFound` if the subject of the change doesn't exist */
  async #change(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: string | undefined,
    checkSubject: () => Promise<void>,
  ): Promise<Answer> {
    const answer = await this.#call({ method, path, body });
    const { status } = answer.response;
    if (!mayLackEndpoint(status)) {
      requireSuccess(answer);
      return answer;
    }
    if (status !== 404) throw this.#notOffered(answer);
    await checkSubject();
    // A 404 of a lagging replica isn't final. If the service has no targets at all, this throws as well.
    await this.listTargets();
    throw changeNotFound(answer);
  }

  async #checkStream(id: string): Promise<void> {
    readOne(await this.#call({ path: `/stream/${id}` }), decodeStream);
  }

  /** GET /user/me. A service without it can't list the targets of a user. */
  async #readUserId({ signal }: CallOptions): Promise<string> {
    if (this.#userId !== undefined) return this.#userId;
    const answer = await this.#call({ path: '/user/me', signal });
    if (mayLackEndpoint(answer.response.status)) throw this.#notOffered(answer);
    this.#userId = readOne(answer, (json) => idOf(toRow(json)?.id)).value;
    return this.#userId;
  }

  #notOffered(answer: Answer): ApiError {
    this.#onNotOffered();
    return notOffered(answer);
  }

  #referenceTo(target: NewTarget | ReusedTarget) {
    if ('id' in target) return { id: target.id };
    const { name, url } = target;
    this.#noteUrl(url);
    return { spec: { name, url } };
  }

  // A service may repeat the URL, or the key in it.
  #noteUrl(url: string): void {
    this.#secrets.noteKey(url);
    const parts = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/\/|\?.*?streamid=/);
    for (const part of parts) if (part.length >= SHORTEST_KEY) this.#secrets.noteKey(part);
  }

  // A service should not send the URL.
  #decode(value: unknown): MultistreamTarget | undefined {
    const row = toRow(value);
    const [id, url] = [idOf(row?.id), wholeOf(row?.url)];
    if (url !== undefined) this.#noteUrl(url);
    if (row === undefined || id === undefined) return undefined;
    return {
      id,
      name: textOf(row.name) ?? '',
      isDisabled: booleanOf(row.disabled) ?? false,
      createdAt: timeOf(row.createdAt),
    };
  }
}
