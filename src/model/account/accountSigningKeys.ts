import { orNone } from '../../api/errors.ts';
import { SigningKeyApi } from '../../api/signingKeyApi.ts';
import type { CreatedSigningKey, SigningKey } from '../../api/signingKeys.ts';
import { createdPerAccount, type LateRequests } from './accountParts.ts';
import { deleteOnce, noteFailedChange } from './sentOnce.ts';

/** Signing keys of an open connection. Methods throw ApiError, and an AbortError if it closes before a read. */
export class AccountSigningKeys {
  readonly #options: LateRequests;
  readonly #api: SigningKeyApi;

  constructor(options: LateRequests) {
    this.#options = options;
    const onNotOffered = () => options.lose('signingKeys');
    this.#api = new SigningKeyApi({ ...options.apiOptions, onNotOffered });
  }

  /** False once the service has responded that it has no signing keys, until the user refreshes. */
  get isOffered(): boolean {
    return this.#options.abilities().signingKeys;
  }

  /** Throws `rejected` (notOffered) if the service has no signing keys. */
  list(signal?: AbortSignal): Promise<readonly SigningKey[]> {
    return this.#options.run((either) => this.#api.listSigningKeys({ signal: either }), signal);
  }

  /** Like `list`, but returns undefined if the service has no signing keys. */
  async listIfOffered(signal: AbortSignal): Promise<readonly SigningKey[] | undefined> {
    return this.isOffered ? orNone(this.list(signal), 'notOffered') : undefined;
  }

  /**
   * Creates a key with a single request. If its response is lost, so is the private key, and the new key stays in the
   * account although it's useless.
   */
  async create(name: string): Promise<CreatedSigningKey> {
    try {
      return await this.#api.createSigningKey(name);
    } catch (error) {
      noteFailedChange(this.#options, 'Creating a signing key', error);
      throw error;
    }
  }

  /** Deletes a key with a single request. A key that is already gone isn't an error. */
  async delete(id: string): Promise<void> {
    await deleteOnce(this.#options, `Deleting the signing key ${id}`, {
      send: () => this.#api.deleteSigningKey(id),
      isThere: async () => (await this.list()).some((key) => key.id === id),
    });
  }
}

export const signingKeysOf = createdPerAccount(
  ({ lateRequests }: { readonly lateRequests: LateRequests }) => new AccountSigningKeys(lateRequests),
);
