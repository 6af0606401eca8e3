import type { MultistreamTarget, NewTarget, ReusedTarget } from '../../api/multistream.ts';
import { MultistreamApi } from '../../api/multistreamApi.ts';
import type { Stream } from '../../api/types.ts';
import { timeSince } from '../../util/clock.ts';
import type { Account } from './account.ts';
import { createdPerAccount } from './accountParts.ts';
import { readUntil } from './reads.ts';
import { orUnread, sendOnce } from './sentOnce.ts';

/** The maximum age of the targets that are shown. */
const READ_AGAIN_AFTER_MS = 30_000;

/**
 * Multistream targets of one open connection. Targets that are read are written to the store. Methods throw ApiError,
 * and an AbortError if the connection closes before a read. A change is sent once and read back. If it throws an
 * ApiError that `mayHaveHappened`, it isn't known whether the change was made.
 */
export class AccountTargets {
  readonly #account: Account;
  readonly #api: MultistreamApi;
  #readAt: number | undefined;

  constructor(account: Account) {
    const { apiOptions, lose } = account.lateRequests;
    this.#account = account;
    this.#api = new MultistreamApi({ ...apiOptions, onNotOffered: () => lose('multistream') });
  }

  /** False once the service has responded that it has no targets, until the user refreshes. */
  get isOffered(): boolean {
    return this.#account.lateRequests.abilities().multistream;
  }

  /** Reads all targets of the account. Throws `rejected` (notOffered) if the service has none. */
  async readAll(): Promise<readonly MultistreamTarget[]> {
    const { run, apiOptions } = this.#account.lateRequests;
    const startedAt = apiOptions.clock.elapsed();
    const targets = await run((signal) => this.#api.listTargets({ signal }));
    this.#readAt = startedAt;
    this.#account.writer.targetsRead(targets);
    return targets;
  }

  /**
   * Reads the targets for a stream unless they were read a moment ago. If the service doesn't say which targets the
   * stream has, this finds out once whether it has targets at all.
   */
  async ensure({ targets }: Pick<Stream, 'targets'>): Promise<void> {
    const isNeeded = targets === undefined ? this.#readAt === undefined : targets.length > 0;
    if (!isNeeded || !this.isOffered) return;
    const now = this.#account.lateRequests.apiOptions.clock.elapsed();
    if (this.#readAt === undefined || timeSince(this.#readAt, now) >= READ_AGAIN_AFTER_MS) await this.readAll();
  }

  async add(stream: Pick<Stream, 'id' | 'targets'>, target: NewTarget | ReusedTarget): Promise<void> {
    const before = new Set(stream.targets?.map(({ id }) => id));
    const isAdded = (read: Stream | undefined) =>
      read?.targets?.some(({ id, profile }) => !before.has(id) && profile === target.profile) === true;
    await this.#send('Adding a multistream target', {
      send: async () => {
        const made = await this.#api.addTarget(stream.id, target);
        if (made !== undefined) this.#account.writer.targetsRead([made]);
      },
      confirm: () => this.#confirmOnStream(stream.id, isAdded),
    });
  }

  /** Removes a target from a stream. It stays in the account and on other streams. */
  async remove(streamId: string, targetId: string): Promise<void> {
    const isRemoved = (read: Stream | undefined) => read !== undefined && !hasTarget(read, targetId);
    await this.#send(`Removing the multistream target ${targetId}`, {
      send: () => this.#api.removeTarget(streamId, targetId),
      confirm: () => this.#confirmOnStream(streamId, isRemoved),
    });
  }

  /** Turns a target on or off for all streams that have it. */
  async setDisabled(target: MultistreamTarget, isDisabled: boolean): Promise<void> {
    await this.#send(`Turning the multistream target ${target.id} ${isDisabled ? 'off' : 'on'}`, {
      send: () => this.#api.patchTarget(target.id, { isDisabled }),
      confirm: () => this.#confirmTarget(target.id, isDisabled),
    });
    // A confirmed change counts, even if a replica lags behind.
    this.#account.writer.targetsRead([{ ...target, isDisabled }]);
  }

  /**
   * Changes a target's name and URL for all streams that have it. URLs can't be read back, so this throws if the
   * response is lost. Sending the change again does no harm.
   */
  async edit(target: MultistreamTarget, { name, url }: Omit<NewTarget, 'profile'>): Promise<void> {
    await sendOnce(this.#account.lateRequests, `Changing the multistream target ${target.id}`, {
      send: () => this.#api.patchTarget(target.id, { name, url }),
      find: () => Promise.resolve(undefined),
    });
    this.#account.writer.targetsRead([{ ...target, name }]);
  }

  /** @param confirm resolves to whether the change is visible */
  async #send(
    what: string,
    { send, confirm }: { readonly send: () => Promise<void>; readonly confirm: () => Promise<boolean> },
  ): Promise<void> {
    const requests = this.#account.lateRequests;
    const isConfirmed = await sendOnce(requests, what, {
      send: () => send().then(() => false),
      find: async () => (await confirm()) || undefined,
    });
    if (!isConfirmed) await orUnread(requests.parts, what, confirm);
  }

  async #confirmOnStream(id: string, shows: (stream: Stream | undefined) => boolean): Promise<boolean> {
    return shows(await this.#account.confirmChange(id, shows));
  }

  async #confirmTarget(id: string, isDisabled: boolean): Promise<boolean> {
    const { parts, signal } = this.#account.lateRequests;
    const shows = (target: MultistreamTarget) => target.isDisabled === isDisabled;
    const target = await readUntil(parts, () => this.#api.getTarget(id, { signal }), shows);
    if (shows(target)) this.#account.writer.targetsRead([target]);
    return shows(target);
  }
}

/** Returns the multistream targets of an account, always the same object. */
export const targetsOf = createdPerAccount((account: Account) => new AccountTargets(account));

export function hasTarget({ targets = [] }: Stream, targetId: string): boolean {
  return targets.some(({ id }) => id === targetId);
}
