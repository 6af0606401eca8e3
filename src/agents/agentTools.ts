import { isDeepStrictEqual } from 'node:util';
import { isApiError } from '../api/errors.ts';
import type { Account } from '../model/account/account.ts';
import { isRefusal } from '../texts/refusal.ts';
import { connectionFacts, printAnswer, ToolProblem } from './answers.ts';
import { beginCall, factsOfFailure, readInTime, type ToolCall, type ToolContext } from './call.ts';
import type { AgentTool, ChangeQuestion } from './tool.ts';
import { TOOLS } from './tools.ts';

const MOST_QUESTIONS = 100;

/** The tools for language models, by their names in package.json. The one place where failures become answers. */
export class AgentTools {
  readonly #context: ToolContext;
  /**
   * Questions by account, and by tool and input, until the tool is invoked. Declined ones stay, so the map doesn't keep
   * accounts, which hold their keys.
   */
  readonly #asked = new WeakMap<Account, Map<string, ChangeQuestion>>();

  constructor(context: ToolContext) {
    this.#context = context;
  }

  /** Returns the question before a change; undefined if there is none, or if the call will fail. */
  async prepare(name: string, input: unknown): Promise<ChangeQuestion | undefined> {
    try {
      const { ask } = this.#toolOf(name).ready(input);
      if (ask === undefined) return undefined;
      const call = await beginCall(this.#context, new AbortController().signal);
      this.#takeAsked(name, input, call);
      const question = await ask(call);
      this.#noteAsked(name, input, { account: call.account, question });
      return question;
    } catch (error) {
      if (error instanceof ToolProblem || isRefusal(error) || isApiError(error)) return undefined;
      throw error;
    }
  }

  /** Returns the answer as JSON, also if the call fails. Rejects with an AbortError if the signal aborts. */
  async invoke(name: string, input: unknown, signal: AbortSignal): Promise<string> {
    const { info } = this.#context.connection;
    try {
      const { withinMs, ready } = this.#toolOf(name);
      const { run, ask } = ready(input);
      if (ask === undefined) return printAnswer(await readInTime(this.#context, { signal, withinMs }, run));
      const call = await beginCall(this.#context, signal);
      const asked = this.#takeAsked(name, input, call);
      requireAsked(asked, await ask(call));
      // From here on, the call isn't aborted.
      return printAnswer(await run(call));
    } catch (error) {
      return printAnswer({ facts: { ...(info && connectionFacts(info)), ...factsOfFailure(this.#context, error) } });
    }
  }

  #noteAsked(
    name: string,
    input: unknown,
    { account, question }: { readonly account: Account; readonly question: ChangeQuestion },
  ): void {
    const questions = this.#asked.get(account) ?? new Map<string, ChangeQuestion>();
    this.#asked.set(account, questions);
    questions.set(keyOf(name, input), question);
    const [oldest = ''] = questions.keys();
    if (questions.size > MOST_QUESTIONS) questions.delete(oldest);
  }

  #takeAsked(name: string, input: unknown, { account }: ToolCall): ChangeQuestion | undefined {
    const questions = this.#asked.get(account);
    const asked = questions?.get(keyOf(name, input));
    questions?.delete(keyOf(name, input));
    return asked;
  }

  #toolOf(name: string): AgentTool {
    const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
    if (tool === undefined) throw new Error(`No tool ${name}`);
    const allowed = this.#context.settings.agentTools();
    if (allowed === 'readAndChange' || (allowed === 'read' && !tool.isChange)) return tool;
    throw new ToolProblem("The user hasn't enabled this tool.", {
      next: 'They can enable it with the setting liveStreams.agentTools.',
    });
  }
}

/**
 * Throws a ToolProblem unless the user was asked this question. A call has no question if it would have failed at that
 * time, and must not use the question of another call. The user may have switched connections since, or the question
 * may be out of date.
 */
function requireAsked(asked: ChangeQuestion | undefined, question: ChangeQuestion): void {
  if (isDeepStrictEqual(asked, question)) return;
  throw new ToolProblem("Nothing was changed because the user wasn't asked about this change.", {
    next: 'Call the tool again.',
  });
}

function keyOf(name: string, input: unknown): string {
  return JSON.stringify([name, input]);
}
