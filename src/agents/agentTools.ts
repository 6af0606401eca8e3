import { isRefusal } from '../commands/refusal.ts';
import type { Account } from '../model/account/account.ts';
import { connectionFacts, printAnswer, ToolProblem } from './answers.ts';
import { beginCall, factsOfFailure, readInTime, type ToolCall, type ToolContext } from './call.ts';
import { type AgentTool, type ChangeQuestion, TOOLS } from './tools.ts';

/** The tools for language models, by their names in package.json. The one place where failures become answers. */
export class AgentTools {
  readonly #context: ToolContext;
  /** By tool and input: the account that the question was about, until the tool is invoked. */
  readonly #asked = new Map<string, Account>();

  constructor(context: ToolContext) {
    this.#context = context;
  }

  /** Returns the question before a change; undefined if there is none, or if the call will fail. Sends no request. */
  async prepare(name: string, input: unknown): Promise<ChangeQuestion | undefined> {
    try {
      const { ask } = this.#toolOf(name).ready(input);
      if (ask === undefined) return undefined;
      const asked = keyOf(name, input);
      this.#asked.delete(asked);
      const call = await beginCall(this.#context, new AbortController().signal);
      const question = ask(call);
      this.#asked.set(asked, call.account);
      return question;
    } catch (error) {
      if (error instanceof ToolProblem || isRefusal(error)) return undefined;
      throw error;
    }
  }

  /** Returns the answer as JSON, also of a call that fails. Rejects with an AbortError if the signal aborts. */
  async invoke(name: string, input: unknown, signal: AbortSignal): Promise<string> {
    const { info } = this.#context.current;
    try {
      const { withinMs, ready } = this.#toolOf(name);
      const { run, ask } = ready(input);
      if (ask === undefined) return printAnswer(await readInTime(this.#context, { signal, withinMs }, run));
      const call = await beginCall(this.#context, signal);
      ask(call);
      this.#requireAsked(keyOf(name, input), call);
      // From here on it isn't aborted.
      return printAnswer(await run(call));
    } catch (error) {
      return printAnswer({ facts: { ...(info && connectionFacts(info)), ...factsOfFailure(this.#context, error) } });
    }
  }

  /**
   * A call without a question, because it would have failed at that time, must not pass with the question of another
   * one. And the person may have opened another connection after the question.
   */
  #requireAsked(asked: string, { account }: ToolCall): void {
    const askedAbout = this.#asked.get(asked);
    this.#asked.delete(asked);
    if (askedAbout === account) return;
    throw new ToolProblem('Nothing was changed, because the person was not asked about this change.', {
      next: 'Call the tool again.',
    });
  }

  #toolOf(name: string): AgentTool {
    const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
    if (tool === undefined) throw new Error(`No tool ${name}`);
    const allowed = this.#context.settings.agentTools();
    if (allowed === 'readAndChange' || (allowed === 'read' && !tool.isChange)) return tool;
    throw new ToolProblem('The person has not turned on this tool.', {
      next: 'The person can turn it on in the setting liveStreams.agentTools.',
    });
  }
}

function keyOf(name: string, input: unknown): string {
  return JSON.stringify([name, input]);
}
