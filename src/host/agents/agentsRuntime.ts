import * as vscode from 'vscode';
import { AgentTools } from '../../agents/agentTools.ts';
import type { ToolContext } from '../../agents/call.ts';
import { ExportedReads } from '../../agents/exportedReads.ts';
import type { BoundaryContext } from '../../commands/boundary.ts';
import { broadcastTestPattern } from '../../commands/broadcast/broadcastCommands.ts';
import type { Disposable } from '../../util/disposable.ts';

export interface AgentsRuntime extends Disposable {
  prepare(name: string, input: unknown): Promise<vscode.PreparedToolInvocation | undefined>;
  invoke(name: string, input: unknown, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult>;
  readonly reads: ExportedReads;
}

export function startAgentsRuntime({ context: commands }: { readonly context: BoundaryContext }): AgentsRuntime {
  const context: ToolContext = {
    ...commands,
    broadcastTestPattern: (stream, options) => broadcastTestPattern(commands, stream, options),
  };
  const tools = new AgentTools(context);
  const calls = new Set<AbortController>();
  return {
    reads: new ExportedReads(context),
    async prepare(name, input) {
      const question = await tools.prepare(name, input);
      if (question === undefined) return undefined;
      const { title, message } = question;
      // appendText escapes names, which come from the service and from models.
      return { confirmationMessages: { title, message: new vscode.MarkdownString().appendText(message) } };
    },
    async invoke(name, input, token) {
      const call = new AbortController();
      calls.add(call);
      const canceling = token.onCancellationRequested(() => call.abort());
      try {
        const text = await tools.invoke(name, input, call.signal);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      } finally {
        canceling.dispose();
        calls.delete(call);
      }
    },
    dispose() {
      for (const call of calls) call.abort();
    },
  };
}
