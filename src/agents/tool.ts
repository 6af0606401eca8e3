import { connectionFacts, type ToolAnswer } from './answers.ts';
import type { ToolCall } from './call.ts';
import { type Fields, type InputOf, readInput } from './input.ts';

/** The question before a change, as plain text. */
export interface ChangeQuestion {
  readonly title: string;
  readonly message: string;
}

interface Tool<F extends Fields> {
  readonly fields: F;
  /** Set for a tool that takes longer than a read. */
  readonly withinMs?: number;
  run(call: ToolCall, input: InputOf<F>): Promise<ToolAnswer>;
  /**
   * For a tool that changes something. Sends at most the request for the service's URLs; throws a ToolProblem if it
   * isn't possible.
   */
  ask?(call: ToolCall, input: InputOf<F>): ChangeQuestion | Promise<ChangeQuestion>;
}

/** A tool that has checked its input. */
interface ReadyTool {
  run(call: ToolCall): Promise<ToolAnswer>;
  readonly ask: ((call: ToolCall) => ChangeQuestion | Promise<ChangeQuestion>) | undefined;
}

export interface AgentTool {
  readonly fields: Fields;
  readonly isChange: boolean;
  readonly withinMs: number | undefined;
  /** Throws a ToolProblem if the input is wrong. */
  ready(given: unknown): ReadyTool;
}

/** Returns a tool that checks its input and names the connection in its answer. */
export function tool<F extends Fields>({ fields, withinMs, run, ask }: Tool<F>): AgentTool {
  return {
    fields,
    isChange: ask !== undefined,
    withinMs,
    ready(given) {
      const input = readInput(fields, given);
      return {
        ask: ask && ((call) => ask(call, input)),
        async run(call) {
          const { facts, rows } = await run(call, input);
          return { facts: { ...connectionFacts(call.info), ...facts }, rows };
        },
      };
    },
  };
}
