import { t } from '@vscode/l10n';
import { describeError } from '../../api/describeError.ts';
import { isAbortError } from '../../api/errors.ts';
import type { PickItem, PickSession } from '../../services.ts';
import type { CommandContext } from '../context.ts';

export interface FillingPickerOptions<T> {
  readonly title: string;
  readonly placeholder: string;
  /** Values are the ids of rows. */
  readonly items: (rows: readonly T[]) => readonly PickItem<string>[];
  /** Returns a sentence to show below the items, such as why there are none. */
  readonly sentence: (itemCount: number, isBusy: boolean) => string | undefined;
  /** Begins to load rows. Called when the picker is open. */
  readonly fill: (session: PickSession<string>) => void;
}

/** The value of a sentence, which is an item because a separator with nothing below it isn't rendered. */
const SENTENCE = '';

/** A picker that is open while its rows are loaded. */
export class FillingPicker<T extends { readonly id: string }> {
  /** By id. Call `show` after a change. */
  readonly rows = new Map<string, T>();
  /** Shown as a sentence. */
  failure: unknown;
  readonly #context: Pick<CommandContext, 'ui' | 'current'>;
  readonly #options: FillingPickerOptions<T>;
  #session: PickSession<string> | undefined;
  #pending = 0;

  constructor(context: Pick<CommandContext, 'ui' | 'current'>, options: FillingPickerOptions<T>) {
    this.#context = context;
    this.#options = options;
  }

  /** Returns undefined if dismissed. Throws the load error if there was nothing to show because of it. */
  async pick(): Promise<T | undefined> {
    const { title, placeholder, fill } = this.#options;
    const id = await this.#context.ui.pick<string>({
      title,
      placeholder,
      items: (session) => {
        this.#session = session;
        fill(session);
      },
      matchOnDescription: true,
    });
    if (id !== undefined && id !== SENTENCE) return this.rows.get(id);
    if (this.rows.size === 0 && this.failure !== undefined) throw this.failure;
    return undefined;
  }

  add(rows: readonly T[]): void {
    for (const row of rows) this.rows.set(row.id, row);
  }

  /** Runs a request. The picker is busy meanwhile, and shows a failure. Never rejects. */
  async load(run: () => Promise<void>): Promise<void> {
    this.#pending += 1;
    this.show();
    try {
      await run();
    } catch (error) {
      if (!isAbortError(error)) this.failure ??= error;
    }
    this.#pending -= 1;
    this.show();
  }

  show(): void {
    if (this.#session === undefined || this.#session.signal.aborted) return;
    const items = this.#options.items([...this.rows.values()]);
    const isBusy = this.#pending > 0;
    const sentence = this.#sentence(items.length, isBusy);
    this.#session.show(sentence === undefined ? items : [...items, { ...sentence, value: SENTENCE }], isBusy);
  }

  #sentence(itemCount: number, isBusy: boolean): { readonly label: string; readonly icon: string } | undefined {
    if (this.failure !== undefined) {
      const service = this.#context.current.info?.name ?? t('The service');
      return { label: describeError(this.failure, { service }), icon: 'warning' };
    }
    const label = this.#options.sentence(itemCount, isBusy);
    return label === undefined ? undefined : { label, icon: 'info' };
  }
}
