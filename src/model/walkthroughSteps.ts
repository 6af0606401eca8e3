import type { Log, Memento } from '../services.ts';
import type { Disposable } from '../util/disposable.ts';
import { Emitter, type Event } from '../util/events.ts';
import type { Snapshot } from './store/snapshot.ts';
import type { StreamStore } from './store/store.ts';

const STEPS = ['connect', 'look', 'encoder', 'watch', 'webhooks'] as const;

/** The IDs in package.json. */
export type WalkthroughStep = (typeof STEPS)[number];

const PREFIX = 'done/';

/**
 * The walkthrough steps that were done in any window, whether or not the walkthrough was open: the user connected, saw
 * which streams are live, copied a stream key, opened a recording, or listened for webhook events.
 */
export class WalkthroughSteps implements Disposable {
  readonly #memento: Memento;
  readonly #log: Log;
  readonly #done: Set<WalkthroughStep>;
  readonly #changes = new Emitter<void>();
  readonly #subscription: Disposable;

  readonly onDidChange: Event<void> = this.#changes.event;

  constructor({
    store,
    global,
    log,
  }: {
    readonly store: { readonly onDidChange: StreamStore['onDidChange'] };
    readonly global: Memento;
    readonly log: Log;
  }) {
    this.#memento = global;
    this.#log = log;
    this.#done = new Set(STEPS.filter((step) => global.get(PREFIX + step) === true));
    this.#subscription = store.onDidChange(({ current }) => this.#follow(current));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  readonly isDone = (step: WalkthroughStep): boolean => this.#done.has(step);

  readonly note = (step: WalkthroughStep): void => {
    if (this.#done.has(step)) return;
    this.#done.add(step);
    this.#memento
      .set(PREFIX + step, true)
      .catch((error: unknown) => this.#log.error("Couldn't save a walkthrough step", error));
    this.#changes.fire();
  };

  #follow({ connection, lists }: Snapshot): void {
    if ('info' in connection) this.note('connect');
    // Nothing is loaded until a view is visible.
    if (lists.active.isLoaded) this.note('look');
  }
}
