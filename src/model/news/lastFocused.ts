import type { Log, Memento, Presence, Settings } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';

const KEY = 'lastFocusedWindow';

/**
 * Tracks which window was focused last: only that one may notify. Each window writes its id to the storage that all
 * windows share, while notifications are on. Writes of other windows may arrive late, so shortly after a switch both
 * windows, or neither, may notify. A window that closes removes its id; all may then notify until another is focused.
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
    /** Unique, and different after a reload. */
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
