import type { Log, Memento, Presence, Settings } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';

const KEY = 'lastFocusedWindow';

/**
 * Which of the editor's windows had the focus last: the one that may notify. Each window notes itself in the storage that
 * all share, as long as notifications are chosen. What another window wrote can arrive there a moment late, so that shortly after a change of windows both of
 * them, or neither, may think so. A window that ends takes its note back; until another gets the focus all may notify.
 */
export class LastFocused implements Disposable {
  readonly #presence: Presence;
  readonly #settings: Pick<Settings, 'notifications' | 'onDidChange'>;
  readonly #global: Memento;
  readonly #windowId: string;
  readonly #log: Pick<Log, 'error'>;
  readonly #owned = new DisposableStore();

  constructor(options: {
    readonly presence: Presence;
    readonly settings: Pick<Settings, 'notifications' | 'onDidChange'>;
    readonly global: Memento;
    /** No other window's, and another after a reload. */
    readonly windowId: string;
    readonly log: Pick<Log, 'error'>;
  }) {
    this.#presence = options.presence;
    this.#settings = options.settings;
    this.#global = options.global;
    this.#windowId = options.windowId;
    this.#log = options.log;
    this.#owned.add(this.#presence.onDidChange(() => this.#note()));
    this.#owned.add(this.#settings.onDidChange(() => this.#note()));
    this.#note();
  }

  dispose(): void {
    this.#owned.dispose();
    if (this.#global.get(KEY) === this.#windowId) this.#write(undefined);
  }

  /** Read afresh each time. */
  isThisWindow(): boolean {
    if (this.#presence.isFocused()) return true;
    const noted = this.#global.get(KEY);
    return noted === undefined || noted === this.#windowId;
  }

  #note(): void {
    if (!this.#presence.isFocused() || this.#settings.notifications().size === 0) return;
    if (this.#global.get(KEY) !== this.#windowId) this.#write(this.#windowId);
  }

  #write(windowId: string | undefined): void {
    this.#global.set(KEY, windowId).catch((error: unknown) => {
      this.#log.error('Which window had the focus last could not be noted', error);
    });
  }
}
