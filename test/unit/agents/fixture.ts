import assert from 'node:assert/strict';
import { AgentTools } from '../../../src/agents/agentTools.ts';
import type { ToolContext } from '../../../src/agents/call.ts';
import { broadcastTestPattern } from '../../../src/commands/broadcast/broadcastCommands.ts';
import type { AgentAccess } from '../../../src/services.ts';
import { type Fixture, type FixtureOptions, withCommands } from '../commands/fixture.ts';

export interface AgentFixture extends Fixture {
  readonly context: Fixture['context'] & ToolContext;
  readonly tools: AgentTools;
  /** Asks first, as VS Code does, and takes the person to agree. Returns the answer, which is at most 8 KB of JSON. */
  call(name: string, input?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** The same, as text. */
  answer(name: string, input?: unknown, signal?: AbortSignal): Promise<string>;
}

export interface AgentOptions extends FixtureOptions {
  /** Default: readAndChange. */
  readonly access?: AgentAccess;
}

/** Runs a test with the tools over a real service and the real model. */
export function withAgents(options: AgentOptions, test: (fixture: AgentFixture) => Promise<void>): () => Promise<void> {
  return withCommands(options, async (fixture) => {
    const settings = { ...fixture.context.settings, agentTools: () => options.access ?? 'readAndChange' };
    const broadcast: ToolContext['broadcastTestPattern'] = (...given) =>
      broadcastTestPattern(fixture.context, ...given);
    const context = { ...fixture.context, broadcastTestPattern: broadcast };
    const tools = new AgentTools({ ...context, settings });
    const answer: AgentFixture['answer'] = async (name, input = {}, signal = new AbortController().signal) => {
      await tools.prepare(name, input);
      const text = await tools.invoke(name, input, signal);
      assert.ok(Buffer.byteLength(text) <= 8192, `${Buffer.byteLength(text)} bytes`);
      return text;
    };
    await test({ ...fixture, context, tools, answer, call: async (...given) => JSON.parse(await answer(...given)) });
  });
}
