import { isId } from '../api/ids.ts';
import type { Boxes } from '../services.ts';

/**
 * The user's answers in a command's boxes, which don't have to be entered again if it fails. May hold secrets, so
 * they're kept only in memory, as long as a message offers to continue with them.
 */
export class BoxAnswers {
  /** The answers to continue with, by the words of their boxes. Each is used once, so that Back shows the box. */
  #before = new Map<string, unknown>();
  #now = new Map<string, unknown>();
  #typedLast: string | undefined;
  #target: string | undefined;
  #problem: { readonly key: string | undefined; readonly sentence: string } | undefined;

  get hasText(): boolean {
    return this.#typedLast !== undefined;
  }

  /** Returns the arguments of the next run, with the stream or session that was picked for the command. */
  argumentsOf(args: readonly unknown[]): readonly unknown[] {
    return this.#target === undefined || args.length > 0 ? args : [this.#target];
  }

  /** @param sentence why the command failed, shown in the last text box */
  keep(sentence: string): void {
    this.#before = new Map([...this.#before, ...this.#now]);
    this.#now = new Map();
    this.#problem = { key: this.#typedLast, sentence };
  }

  /** Wraps the boxes: pickers return the previous choices, and text boxes start with the previous text. */
  wrap({ pick, pickMany, input }: Boxes): Boxes {
    return {
      pick: async (options) => {
        const { title, placeholder, items, isKept } = options;
        if (typeof items !== 'function' || isKept === true)
          return this.#again([title, placeholder], () => pick(options));
        const isFirst = this.#now.size === 0 && this.#before.size === 0;
        const answer = await pick(options);
        if (isFirst && isId(answer)) this.#target = answer;
        return answer;
      },
      pickMany: (options) => this.#again([options.title, options.placeholder], () => pickMany(options)),
      input: async (options) => {
        const key = keyOf([options.title, options.kept?.box ?? options.prompt]);
        const kept = this.#take(key);
        const typed: unknown = typeof kept === 'function' ? kept() : kept;
        const { sentence } = this.#problem ?? {};
        const isBlamed = typed !== undefined && sentence !== undefined && key === this.#problem?.key;
        const text = await input({
          ...options,
          ...(typeof typed === 'string' && { value: typed }),
          ...(isBlamed && { problem: { sentence, links: [] } }),
        });
        if (text === undefined) return undefined;
        this.#now.set(key, options.kept?.text ?? text);
        this.#typedLast = key;
        return text;
      },
    };
  }

  async #again<A>(texts: readonly string[], show: () => Promise<A | undefined>): Promise<A | undefined> {
    const key = keyOf(texts);
    // The answer was given in the box with the same words.
    const answer = (this.#take(key) as A | undefined) ?? (await show());
    if (answer !== undefined) this.#now.set(key, answer);
    return answer;
  }

  #take(key: string): unknown {
    const answer = this.#before.get(key);
    this.#before.delete(key);
    return answer;
  }
}

function keyOf(texts: readonly (string | undefined)[]): string {
  return texts.join('\n');
}
