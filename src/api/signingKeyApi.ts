import { type Answer, type Caller, createCaller, type LateApiOptions } from './calls.ts';
import { decodeRows, idOf, textOf, timeOf, toRow, wholeOf } from './decode.ts';
import type { ApiError } from './errors.ts';
import { requestAll, SIGNING_KEYS } from './lateRequests.ts';
import {
  checkId,
  mayLackEndpoint,
  notFound,
  notOffered,
  readAnswer,
  readOne,
  requireSuccess,
  wrongShape,
} from './reads.ts';
import type { CreatedSigningKey, SigningKey } from './signingKeys.ts';
import type { CallOptions } from './types.ts';

/**
 * The requests about signing keys (src/api/README.md, Access). None of them is documented. Methods throw ApiError, or an
 * AbortError of their signal. Private keys are noted, so that no output shows them.
 */
export class SigningKeyApi {
  readonly #call: Caller;
  readonly #onNotOffered: () => void;

  constructor({ secrets, onNotOffered, ...caller }: LateApiOptions) {
    this.#onNotOffered = onNotOffered;
    this.#call = createCaller(caller, secrets);
  }

  /** GET /access-control/signing-key. Throws `rejected` (notOffered) if the service doesn't have it. */
  async listSigningKeys(options: CallOptions = {}): Promise<readonly SigningKey[]> {
    const answer = await requestAll(this.#call, SIGNING_KEYS, options);
    if (mayLackEndpoint(answer.response.status)) throw this.#notOffered(answer);
    const rows = readAnswer(answer);
    if (!Array.isArray(rows)) throw wrongShape(answer);
    return decodeRows(rows, decodeSigningKey).items;
  }

  /** POST /access-control/signing-key. */
  async createSigningKey(name: string): Promise<CreatedSigningKey> {
    const answer = await this.#call({ method: 'POST', path: SIGNING_KEYS, body: JSON.stringify({ name }) });
    if (mayLackEndpoint(answer.response.status)) throw this.#notOffered(answer);
    return readOne(answer, decodeCreatedKey).value;
  }

  /** DELETE /access-control/signing-key/{id}. Throws `notFound` if it no longer exists. */
  async deleteSigningKey(id: string): Promise<void> {
    const answer = await this.#call({ method: 'DELETE', path: `${SIGNING_KEYS}/${checkId(id)}` });
    if (!mayLackEndpoint(answer.response.status)) return requireSuccess(answer);
    const isThere = (await this.listSigningKeys()).some((key) => key.id === id);
    throw isThere ? notOffered(answer) : notFound(answer);
  }

  #notOffered(answer: Answer): ApiError {
    this.#onNotOffered();
    return notOffered(answer);
  }
}

/** Returns undefined if the ID isn't valid or there's no public key. */
function decodeSigningKey(value: unknown): SigningKey | undefined {
  const row = toRow(value);
  const [id, publicKey] = [idOf(row?.id), wholeOf(row?.publicKey)];
  if (row === undefined || id === undefined || publicKey === undefined) return undefined;
  return { id, name: textOf(row.name) ?? '', publicKey, createdAt: timeOf(row.createdAt) };
}

function decodeCreatedKey(value: unknown): CreatedSigningKey | undefined {
  const [key, privateKey] = [decodeSigningKey(value), wholeOf(toRow(value)?.privateKey)];
  return key === undefined || privateKey === undefined ? undefined : { key, privateKey };
}
