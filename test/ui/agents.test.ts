import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DemoService, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { pressDialogButton, readDialog } from '../support/page/messages.ts';
import { runEditorCommand } from '../support/page/quickInput.ts';
import { takeScreenshot } from '../support/page/screenshot.ts';
import * as tree from '../support/page/treeView.ts';
import { waitUntil } from '../support/page/waitUntil.ts';
import { inProject } from '../support/projectFolder.ts';
import { packageSmall } from '../support/vscode/starterVsix.ts';
import { suiteWorkbench } from '../support/vscode/suiteWorkbench.ts';
import { vsixFile } from '../support/vscode/vsix.ts';

interface Call {
  readonly command?: string;
  readonly tool?: string;
  readonly exported?: string;
  readonly args?: readonly unknown[];
}

interface Answer {
  readonly number: number;
  readonly value?: unknown;
  readonly error?: string;
}

describe('What agents and other extensions ask', () => {
  const workbench = suiteWorkbench(async () => ({
    extensions: [vsixFile, await packageSmall('caller')],
    settings: { 'liveStreams.agentTools': 'readAndChange' },
  }));
  let service: DemoService;
  let calls = 0;

  /** Has another extension make a call. Its answer comes once what the call asks is answered. */
  async function begin({ args = [], ...call }: Call): Promise<() => Promise<Answer>> {
    const { page, folder } = workbench();
    calls += 1;
    const number = calls;
    writeFileSync(join(folder, 'call.json'), JSON.stringify({ ...call, args, number }));
    await runEditorCommand(page, 'Make the Call of This Folder');
    const file = join(folder, 'answer.json');
    return () =>
      waitUntil(() => {
        const answer: Answer | undefined = existsSync(file)
          ? JSON.parse(readFileSync(file, 'utf8') || '{}')
          : undefined;
        return answer?.number === number && answer;
      });
  }

  async function make(call: Call): Promise<unknown> {
    const { value, error } = await (await begin(call))();
    assert.equal(error, undefined);
    return value;
  }

  before(async () => {
    const clock = createTestClock();
    service = await startDemo({ clock, mediaRoot: inProject('media/demo'), seed: 7, isLively: false });
    const { baseUrl, apiKey } = service;
    // Once its view is there, the commands of extensions are, too.
    await tree.showContainer(workbench().page);
    await make({ command: 'liveStreams.addConnection', args: [{ name: 'Production', baseUrl, apiKey }] });
    service.control.clearRequests();
  });
  /** Lists and their numbers are read meanwhile. */
  const changesSent = () =>
    service.control.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  after(() => service.dispose());

  it('sends nothing if the person declines a change, after a question that names stream and connection', async () => {
    const { page } = workbench();
    const answered = await begin({ tool: 'liveStreams_create', args: [{ name: 'Made <b>by</b> an *agent*' }] });
    const { message, detail, buttons } = await readDialog(page);
    assert.equal(message, 'Create a stream?');
    assert.equal(detail, 'An agent wants to create the stream "Made <b>by</b> an *agent*" on "Production".');
    await takeScreenshot(page, 'agent-question');
    await pressDialogButton(page, buttons.find((button) => button === 'Cancel') ?? assert.fail(buttons.join()));
    assert.match((await answered()).error ?? '', /Cancel/);
    assert.deepEqual(changesSent(), []);
  });

  it('makes the change if the person agrees', async () => {
    const { page } = workbench();
    const answered = await begin({ tool: 'liveStreams_create', args: [{ name: 'Made by an agent' }] });
    const { buttons } = await readDialog(page);
    await pressDialogButton(page, buttons.find((button) => button !== 'Cancel') ?? assert.fail(buttons.join()));
    const { stream } = JSON.parse(String((await answered()).value));
    const made = service.control.streams().find(({ id }) => id === stream.id);
    assert.deepEqual([made?.name, changesSent()], ['Made by an agent', ['POST /api/stream']]);
  });

  it('is answered to other extensions without keys, and they hear of streams that go live or lose their data', async () => {
    await make({ exported: 'follow' });
    const idle = service.control.streams().find(({ parentId, isActive }) => parentId === undefined && !isActive);
    const { id, playbackId, name } = idle ?? assert.fail('no idle stream');
    assert.equal(((await make({ exported: 'getStream', args: [playbackId] })) as { readonly name: string }).name, name);
    assert.equal(await make({ exported: 'getStream', args: ['gone'] }), undefined);
    service.control.startBroadcast(id);
    const live = (await make({ exported: 'listLiveStreams' })) as readonly { readonly id: string }[];
    assert.ok(live.some((stream) => stream.id === id));
    const text = JSON.stringify(live);
    const keys = service.control.streams().flatMap(({ streamKey }) => streamKey ?? []);
    for (const key of keys) assert.ok(!text.includes(key));
    assert.ok(keys.length > 10);
    await make({ command: 'liveStreams.refresh' });
    const changes = async () => ((await make({ exported: 'changes' })) as readonly unknown[]).length;
    const started = await changes();
    assert.ok(started > 0);
    service.control.setStream(id, { lastSeen: Date.now() - 600_000 });
    await make({ command: 'liveStreams.refresh' });
    assert.equal(await changes(), started + 1, 'no data');
    await make({ command: 'liveStreams.refresh' });
    assert.equal(await changes(), started + 1, 'no change');
  });
});
