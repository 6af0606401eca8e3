import { isId } from '../api/ids.ts';
import type { Boxes } from '../services.ts';

/**
 * What a command was answered in its boxes, so that users don't have to enter it again if it fails. May hold secrets, so it's
 * kept in memory alone, as long as a message offers to go on with it.
 */
export class BoxAnswers {
  /** What to go on with, by the texts of the boxes. Each is used once: Back shows a box as it is. */
  #before = new Map<string, unknown>();
  #now = new Map<string, unknown>();
  #typedLast: string | undefined;
  #target: string | undefined;
  #problem: { readonly key: string | undefined; readonly sentence: string } | undefined;

  get hasText(): boolean {
    return this.#typedLast !== undefined;
  }

  /** The arguments of the next run, with the stream or session that was picked for the command. */
  argumentsOf(args: readonly unknown[]): readonly unknown[] {
    return this.#target === undefined || args.length > 0 ? args : [this.#target];
  }

  /** @param sentence why the command failed, which the last text box says */
  keep(sentence: string): void {
    this.#before = new Map([...this.#before, ...this.#now]);
    this.#now = new Map();
    this.#problem = { key: this.#typedLast, sentence };
  }

  /** Pickers are answered as before, and text boxes begin with what was typed. */
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
    // The box with these texts is the one that was answered with it.
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
