import type { Log, Memento, Presence } from '../../services.ts';
import { type Disposable, DisposableStore } from '../../util/disposable.ts';
import type { Settings } from '../settingValues.ts';

const KEY = 'lastFocusedWindow';

export interface LastFocusedOptions {
  readonly presence: Presence;
  readonly settings: Settings;
  readonly global: Memento;
  /** Unique, and different after a reload. */
  readonly windowId: string;
  readonly log: Log;
}

/**
 * Tracks which window was focused last: only that one may notify. Each window writes its id to the storage that all
 * windows share, while notifications are on. Writes of other windows may arrive late, so shortly after a switch both
 * windows, or neither, may notify. A window that closes removes its id; all may then notify until another is focused.
 */
export class LastFocused implements Disposable {
  readonly #options: LastFocusedOptions;
  readonly #owned = new DisposableStore();

  constructor(options: LastFocusedOptions) {
    this.#options = options;
    this.#owned.add(options.presence.onDidChange(() => this.#note()));
    this.#owned.add(options.settings.onDidChange(() => this.#note()));
    this.#note();
  }

  dispose(): void {
    this.#owned.dispose();
    if (this.#options.global.get(KEY) === this.#options.windowId) this.#write(undefined);
  }

  isThisWindow(): boolean {
    if (this.#options.presence.isFocused()) return true;
    const noted = this.#options.global.get(KEY);
    return noted === undefined || noted === this.#options.windowId;
  }

  #note(): void {
    if (!this.#options.presence.isFocused() || this.#options.settings.notifications().size === 0) return;
    if (this.#options.global.get(KEY) !== this.#options.windowId) this.#write(this.#options.windowId);
  }

  #write(windowId: string | undefined): void {
    this.#options.global.set(KEY, windowId).catch((error: unknown) => {
      this.#options.log.error('Which window had the focus last could not be noted', error);
    });
  }
}
