import { describeError } from '../../api/describeError.ts';
import { isAbortError, isApiError } from '../../api/errors.ts';
import type { ConnectionInfo } from '../../model/store/snapshot.ts';
import type { PickItem, PickSession } from '../../services.ts';
import { setApiKeyLabel } from '../../texts/labels.ts';
import { namedOnce, serviceOrConnectionOf } from '../../texts/refusals.ts';
import { foldText, hasWordStarts } from '../../util/foldText.ts';
import type { CommandContext } from '../context.ts';

export interface FillingPickerOptions<T> {
  readonly title: string;
  readonly placeholder: string;
  /** Values are the IDs of rows. `typed` is the trimmed text in the picker. */
  readonly items: (rows: readonly T[], typed: string) => readonly PickItem<string>[];
  /** Buttons at the end of a row. They close the picker. */
  readonly buttons?: ((row: T) => readonly RowButton<T>[]) | undefined;
  readonly noMatch?: () => string;
  /** Whether it lists items of several connections, so that its title doesn't name one. */
  readonly isOfAllConnections?: boolean;
  /** Sentences below the items that say what is missing, and why. */
  readonly notices?: () => readonly Problem[];
  /** Whether a rejected key comes first, because nothing else helps. Typing hides it, so that Enter chooses a row. */
  readonly isKeyFirst?: boolean;
  /** Returns a sentence to show below the items, such as why there are none. */
  readonly sentence: (itemCount: number, isBusy: boolean) => string | undefined;
  /** Begins to load rows. Called when the picker is open. */
  readonly fill: (session: PickSession<string>) => void;
}

/** Why something is missing. */
export interface Problem {
  readonly sentence: string;
  /** The ID of the connection that needs another API key because of it. */
  readonly needsKey: string | undefined;
}

/** The connection that rows are loaded from. By default, that of the command. */
interface LoadedFrom {
  readonly info?: ConnectionInfo;
  /** undefined if the picker lists no others. */
  readonly label?: string | undefined;
}

export interface RowButton<T> {
  readonly icon: string;
  readonly tooltip: string;
  readonly run: (row: T) => Promise<unknown>;
}

/** Separates an ID from the number of a button. IDs don't contain it. */
const BUTTON = ' ';
const SET_KEY = `${BUTTON}key${BUTTON}`;

/** An item, because a separator with nothing below it isn't rendered. */
interface Sentence {
  readonly label: string;
  readonly icon: string;
  /** The effect of choosing it. */
  readonly description?: string;
  readonly value?: string;
}

export class FillingPicker<T extends { readonly id: string }> {
  /** By ID. Call `show` after a change. */
  readonly rows = new Map<string, T>();
  /** Shown as sentences. By the label of the connection, which is undefined if there is only one. */
  readonly failures = new Map<
    string | undefined,
    { readonly error: unknown; readonly of: ConnectionInfo | undefined }
  >();
  readonly #context: CommandContext;
  readonly #options: FillingPickerOptions<T>;
  #session: PickSession<string> | undefined;
  #pending = 0;
  #typed = '';

  constructor(context: CommandContext, options: FillingPickerOptions<T>) {
    this.#context = context;
    this.#options = options;
  }

  /** Returns undefined if dismissed. Throws the load error if there was nothing to show because of it. */
  async pick(): Promise<T | undefined> {
    const { title, placeholder, fill, isOfAllConnections = false } = this.#options;
    const id = await this.#context.ui.pick<string>({
      title,
      placeholder,
      isOfAllConnections,
      items: (session) => {
        this.#session = session;
        const typing = session.onDidType((text) => {
          this.#typed = text.trim();
        });
        fill(session);
        // Added after `fill`, which begins to load rows for the text, so that the picker is busy.
        const typed = session.onDidType(() => this.show());
        session.signal.addEventListener('abort', () => {
          typing.dispose();
          typed.dispose();
        });
      },
      matchOnDescription: true,
    });
    const failure = this.failures.get(undefined);
    if (this.rows.size === 0 && failure !== undefined) throw failure.error;
    return id === undefined ? undefined : await this.#chosen(id);
  }

  add(rows: readonly T[]): void {
    for (const row of rows) this.rows.set(row.id, row);
  }

  /** Runs a request. The picker is busy until it ends, and shows a failure. Never rejects. */
  async load(run: () => Promise<void>, { label, info }: LoadedFrom = {}): Promise<void> {
    this.#pending += 1;
    this.show();
    try {
      await run();
    } catch (error) {
      if (!isAbortError(error) && !this.failures.has(label)) this.failures.set(label, { error, of: info });
    }
    this.#pending -= 1;
    this.show();
  }

  show(): void {
    if (this.#session === undefined || this.#session.signal.aborted) return;
    const matches = matcherOf(this.#typed);
    const items = this.#options
      .items([...this.rows.values()], this.#typed)
      .map((item) => this.#withButtons(this.#typed === '' ? item : markFound(item, matches)));
    const isBusy = this.#pending > 0;
    const isFirst = ({ value }: Sentence) => this.#options.isKeyFirst === true && value !== undefined;
    const sentences = this.#sentences(items, { isBusy, matches }).map((sentence, index) => ({
      ...{ value: `${BUTTON}${index}`, isSentence: sentence.value === undefined, ...sentence },
      isAlwaysShown: !isFirst(sentence),
    }));
    const first = sentences.filter(({ isAlwaysShown }) => !isAlwaysShown);
    const last = sentences.filter(({ isAlwaysShown }) => isAlwaysShown);
    this.#session.show([...first, ...items, ...last], isBusy);
  }

  /** Returns the row, or undefined after running a button of it. */
  async #chosen(value: string): Promise<T | undefined> {
    if (value.startsWith(SET_KEY)) {
      return void (await this.#context.runCommand('setApiKey', { connectionId: value.slice(SET_KEY.length) }));
    }
    const [id = '', index] = value.split(BUTTON);
    const row = this.rows.get(id);
    if (row === undefined || index === undefined) return row;
    await this.#options.buttons?.(row)[Number(index)]?.run(row);
    return undefined;
  }

  #withButtons(item: PickItem<string>): PickItem<string> {
    if (item.isSeparator === true || this.#options.buttons === undefined) return item;
    const row = this.rows.get(item.value);
    if (row === undefined) return item;
    const buttons = this.#options.buttons(row).map(({ icon, tooltip }, index) => ({
      ...{ icon, tooltip },
      value: `${item.value}${BUTTON}${index}`,
    }));
    return { ...item, buttons };
  }

  #sentences(
    items: readonly PickItem<string>[],
    { isBusy, matches }: { readonly isBusy: boolean; readonly matches: Matcher },
  ): readonly Sentence[] {
    const failed = [...this.failures].map(([label, { error, of = this.#context.connection.info }]) => ({
      sentence: this.#describe(error, label),
      needsKey: isApiError(error, 'unauthorized') ? of?.id : undefined,
    }));
    const warnings = [...(this.#options.notices?.() ?? []), ...failed].map(({ sentence, needsKey }) => ({
      ...{ label: sentence, icon: 'warning' },
      ...(needsKey !== undefined && { description: setApiKeyLabel(), value: `${SET_KEY}${needsKey}` }),
    }));
    if (this.failures.has(undefined)) return warnings;
    const rows = items.filter(({ isSeparator }) => isSeparator !== true);
    const noMatch = isBusy || rows.some(matches) ? undefined : this.#options.noMatch?.();
    const label = this.#options.sentence(rows.length, isBusy) ?? noMatch;
    return label === undefined ? warnings : [{ label, icon: 'info' }, ...warnings];
  }

  #describe(error: unknown, connection: string | undefined): string {
    if (connection === undefined) return describeError(error, { service: serviceOrConnectionOf(this.#context, error) });
    return namedOnce(connection, (service) => describeError(error, { service }));
  }
}

type Matcher = (item: PickItem<string>) => boolean;

function matcherOf(typed: string): Matcher {
  const words = foldText(typed).split(/\s+/);
  return ({ label, description = '', isAlwaysShown }) => {
    if (isAlwaysShown === true) return true;
    const text = foldText(`${label} ${description}`);
    return words.every((word) => text.includes(word)) || hasWordStarts(label, words.join(''));
  };
}

/** Marks a match: VS Code finds words only if they follow each other as typed, with their accents. */
function markFound(item: PickItem<string>, matches: Matcher): PickItem<string> {
  return item.isSeparator !== true && matches(item) ? { ...item, isAlwaysShown: true } : item;
}
