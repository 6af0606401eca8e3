import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Product } from '../host/product.ts';
import type { FaultyService } from './faultyService.ts';

/** Calls the tools that read, over each service, and looks for the secrets of all of them in the answers. */
export async function assertAnswersWithoutSecrets(product: Product, services: readonly FaultyService[]): Promise<void> {
  const secrets = services.flatMap(({ demo }) => [
    demo.apiKey,
    ...demo.control.streams().flatMap(({ streamKey }) => streamKey ?? []),
  ]);
  for (const { name } of services) {
    await product.run('switchConnection', name);
    const listed = await call('liveStreams_list', { state: 'all' });
    const { connection, streams }: { connection: string; streams: readonly { id: string }[] } = JSON.parse(listed);
    assert.equal(connection, name);
    assert.ok(streams.length > 0, listed);
    const answers = [listed, await call('liveStreams_recordings', {})];
    for (const { id } of streams.slice(0, 10)) {
      answers.push(await call('liveStreams_get', { id }), await call('liveStreams_recordings', { stream: id }));
      answers.push(await call('liveStreams_snippet', { id, language: 'json' }));
    }
    for (const text of answers) {
      for (const secret of secrets) assert.ok(!text.includes(secret), `A secret is in an answer of ${name}`);
    }
  }
}

async function call(tool: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}
