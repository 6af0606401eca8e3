import type { Webhook } from '../../api/webhooks.ts';
import type { Clock } from '../../services.ts';
import { timeSince } from '../../util/clock.ts';

// As for streams: lists come from a replica (src/api/README.md, Lists).
const KEPT_MS = 30_000;

/** What was just created, changed, or deleted. It outweighs lists for 30 seconds. */
export class RecentWebhooks {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #changes = new Map<string, { readonly at: number; readonly webhook: Webhook | undefined }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** @param webhook undefined if it was deleted */
  note(id: string, webhook: Webhook | undefined): void {
    this.#changes.set(id, { at: this.#clock.now(), webhook });
  }

  clear(): void {
    this.#changes.clear();
  }

  /** Corrects a list, the newest first. What was created and isn't listed yet comes first. */
  correct(listed: readonly Webhook[]): readonly Webhook[] {
    const now = this.#clock.now();
    for (const [id, { at }] of this.#changes) if (timeSince(at, now) > KEPT_MS) this.#changes.delete(id);
    if (this.#changes.size === 0) return listed;
    const ids = new Set(listed.map(({ id }) => id));
    const missing = [...this.#changes.values()].flatMap(({ webhook, at }) => {
      const isNew = webhook?.createdAt !== undefined && Math.abs(at - webhook.createdAt) <= KEPT_MS;
      return webhook === undefined || ids.has(webhook.id) || !isNew ? [] : [webhook];
    });
    return [...missing.reverse(), ...listed.flatMap((webhook) => this.#correctOne(webhook))];
  }

  #correctOne(listed: Webhook): readonly Webhook[] {
    const change = this.#changes.get(listed.id);
    if (change === undefined) return [listed];
    if (change.webhook === undefined) return [];
    const { name, url, events, streamId } = change.webhook;
    return [{ ...listed, name, url, events, streamId }];
  }
}
