import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { FUZZ_RUNS } from '../support/runner/fuzzRuns.ts';
import { PROPERTY_SEEDS } from '../support/runner/seeds.ts';
import { eventually } from './eventually.ts';
import { assertNone, PLANTED, plant, tellingAll } from './planted.ts';
import { FACE, type Product, withProduct } from './product.ts';
import { replace } from './replace.ts';

interface Declared {
  readonly name: string;
  readonly when: string;
}

const CHANGES = { agentTools: 'readAndChange' };
/** Half of them on each variant: 100, and 400 in `npm run fuzz`, like test/unit/agents/badInput.test.ts. */
const BAD_INPUTS = Math.min(400, FUZZ_RUNS / 2);

/** Calls a tool as a chat does, but without one: VS Code confirms by itself in a test run. */
async function call(name: string, input: unknown): Promise<string> {
  const options = { input: input as object, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(name, options);
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

function declaredTools({ context }: Product): readonly Declared[] {
  return context.extension.packageJSON.contributes.languageModelTools;
}

function streamsOf({ service }: Product) {
  const parents = service.control.streams().filter(({ parentId }) => parentId === undefined);
  const live = parents.find(({ isActive }) => isActive) ?? assert.fail('no live stream');
  const idle = parents.find(({ isActive, suspended }) => !isActive && !suspended) ?? assert.fail('no idle stream');
  return { live, idle };
}

/** An input that works, for each tool. */
const INPUTS: Readonly<Record<string, (product: Product) => object>> = {
  liveStreams_list: () => ({ state: 'all', limit: 5 }),
  liveStreams_get: (product) => ({ id: streamsOf(product).idle.id }),
  liveStreams_recordings: (product) => ({ stream: streamsOf(product).idle.id }),
  liveStreams_check: (product) => ({ id: streamsOf(product).live.id }),
  liveStreams_snippet: (product) => ({ id: streamsOf(product).live.id, language: 'html' }),
  liveStreams_create: () => ({ name: 'Made by an agent' }),
  liveStreams_setRecording: (product) => {
    const { id, record } = streamsOf(product).idle;
    return { id, on: !record };
  },
  liveStreams_testBroadcast: (product) => ({ id: streamsOf(product).idle.id, seconds: 1 }),
  liveStreams_webhooks: () => ({}),
  liveStreams_deliveries: ({ service }) => ({ webhookId: service.control.addWebhook({ name: 'Website' }).id }),
  liveStreams_testEvent: (product) => ({
    ...{ event: 'stream.started', id: streamsOf(product).live.id },
    url: new URL('/handler', product.service.baseUrl).href,
  }),
};

/** The strict variant has no webhooks. Asking for them tells whether only the log is missing. */
function mostRequests(name: string): number {
  if (FACE === 'strict' && name === 'liveStreams_deliveries') return 5;
  // The window itself reads the stream once while the broadcast lasts, with its health, and up to four times when it ends.
  if (name === 'liveStreams_testBroadcast') return 1 + 2 + 4;
  return name === 'liveStreams_check' ? 3 : 2;
}

describe('The tools for agents', () => {
  it(
    'answer through VS Code with at most two requests a call, and send nothing before',
    withProduct({ settings: CHANGES }, async (product) => {
      const { service, requests } = product;
      await product.restart();
      await eventually(() => assert.equal(product.window.contexts.get('liveStreams.connectionCount'), 1));
      assert.deepEqual(requests(), []);
      // The window itself may still read the stream of a test broadcast after the tool's answer.
      let broadcast = 'none';
      for (const { name } of declaredTools(product)) {
        const input = INPUTS[name]?.(product) ?? assert.fail(`No input for ${name}`);
        service.control.clearRequests();
        const text = await call(name, input);
        assert.ok(Buffer.byteLength(text) <= 8192);
        const answer = JSON.parse(text);
        assert.equal(answer.connection, 'Production', text);
        // The strict variant has no changes.
        if (FACE === 'full') assert.equal(answer.problem, undefined, text);
        // A check plays the stream.
        const sent = requests().filter(
          (request) => (name !== 'liveStreams_check' || request.includes('/api/')) && !request.includes(broadcast),
        );
        assert.ok(sent.length <= mostRequests(name), `${name}: ${requests().join('\n')}`);
        if (name === 'liveStreams_testBroadcast') broadcast = String(Reflect.get(input, 'id'));
      }
      const made = service.control.streams().some(({ name }) => name === 'Made by an agent');
      assert.equal(made, FACE === 'full');
    }),
  );

  it(
    'ask before a change, by the names of the stream and the connection',
    withProduct({ settings: CHANGES }, async (product) => {
      const { idle } = streamsOf(product);
      const tools = new Map<string, vscode.LanguageModelTool<unknown>>();
      const { registerTool } = vscode.lm;
      const watching = replace(vscode.lm, 'registerTool', (name: string, tool: vscode.LanguageModelTool<unknown>) => {
        tools.set(name, tool);
        return registerTool(name, tool);
      });
      await product.restart();
      watching.dispose();
      const { token } = new vscode.CancellationTokenSource();
      const ask = async (name: string, input: unknown) => {
        const prepared = await tools.get(name)?.prepareInvocation?.({ input }, token);
        const { title = '', message } = prepared?.confirmationMessages ?? {};
        return `${title} ${message instanceof vscode.MarkdownString ? message.value : message}`.replaceAll(
          '&nbsp;',
          ' ',
        );
      };
      await call('liveStreams_get', { id: idle.id });
      product.service.control.clearRequests();
      const created = await ask('liveStreams_create', { name: 'A [link](command:x)' });
      assert.match(created, /^Create a stream\? .+"A \\\[link\\\]\\\(command:x\\\)" on "Production"\.$/);
      const recorded = await ask('liveStreams_setRecording', { id: idle.id, on: !idle.record });
      assert.ok(recorded.replaceAll('\\', '').includes(`"${idle.name}" on "Production"`), recorded);
      assert.deepEqual(product.requests(), []);
    }),
  );

  it(
    `say what is expected for ${BAD_INPUTS / 2} generated inputs, and send nothing`,
    withProduct({ settings: CHANGES }, async (product) => {
      const names = declaredTools(product).map(({ name }) => name);
      const bad = fc.dictionary(fc.string(), fc.jsonValue()).map((input) => ({ ...input, 'no such property': 1 }));
      const generated = fc.sample(bad, { seed: PROPERTY_SEEDS[0] ?? 0, numRuns: BAD_INPUTS - 2 });
      const all = [{ id: '../a' }, { name: 'x'.repeat(10_000_000) }, ...generated];
      const inputs = FACE === 'full' ? all.slice(0, BAD_INPUTS / 2) : all.slice(BAD_INPUTS / 2);
      for (const [at, input] of inputs.entries()) {
        const name = names[at % names.length] ?? '';
        assert.match(await call(name, input), /tool input is invalid.+expected/, `${name} ${at}`);
      }
      assert.deepEqual(product.requests(), []);
    }),
  );

  it(
    'do nothing where the setting does not allow them',
    withProduct({ settings: { agentTools: 'off' } }, async (product) => {
      for (const { name } of declaredTools(product)) {
        assert.match(await call(name, INPUTS[name]?.(product) ?? {}), /liveStreams\.agentTools/, name);
      }
      await vscode.workspace
        .getConfiguration('liveStreams')
        .update('agentTools', 'read', vscode.ConfigurationTarget.Global);
      assert.match(await call('liveStreams_create', { name: 'A' }), /liveStreams\.agentTools/);
      assert.deepEqual(product.requests(), []);
    }),
  );

  it(
    'answer without secrets, whatever the service tells',
    withProduct({ demo: { apiKey: 'planted-api-key-8d1f0c' }, settings: CHANGES }, async (product) => {
      const { service } = product;
      plant(product);
      service.control.fault(tellingAll(product));
      for (const { name } of declaredTools(product).filter(({ when }) => when.endsWith('off'))) {
        assertNone(await call(name, INPUTS[name]?.(product) ?? {}), name);
      }
      service.control.fault(() => ({
        status: 403,
        body: JSON.stringify({ errors: ['planted-api-key-8d1f0c says no'] }),
      }));
      for (const { name } of declaredTools(product)) {
        const text = await call(name, INPUTS[name]?.(product) ?? {});
        assert.doesNotMatch(text, PLANTED, name);
      }
    }),
  );
  it(
    'are left out of `lm.tools` by the setting, where VS Code leaves out what a `when` clause does',
    withProduct({ settings: { agentTools: 'off' } }, async () => {
      const names = () => vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('liveStreams_'));
      const write = (value: string) =>
        vscode.workspace.getConfiguration('liveStreams').update('agentTools', value, vscode.ConfigurationTarget.Global);
      // VS Code 1.139 also lists tools that it doesn't offer to models.
      const isFiltered = vscode.version.startsWith('1.105.');
      await eventually(() => assert.equal(names().length, isFiltered ? 0 : 11));
      await write('read');
      await eventually(() => assert.equal(names().length, isFiltered ? 7 : 11));
      await write('readAndChange');
      await eventually(() => assert.equal(names().length, 11));
    }),
  );
});
