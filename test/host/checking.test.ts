import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerBoxes } from './answeredBoxes.ts';
import { eventually } from './eventually.ts';
import { type Product, withProduct } from './product.ts';

/** The labels of the check pages that are open. */
function openChecks(): readonly string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isCheck = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputWebview && input.viewType.endsWith('liveStreams.check');
  return tabs.filter(isCheck).map(({ label }) => label);
}

function liveStream({ service }: Product) {
  const found = service.control.streams().find(({ isActive, parentId }) => isActive && parentId === undefined);
  return found ?? assert.fail('No stream is live');
}

function idleStream({ service }: Product) {
  const streams = service.control.streams().filter(({ parentId, suspended }) => parentId === undefined && !suspended);
  return streams.find(({ isActive }) => !isActive) ?? assert.fail('No stream is idle');
}

describe('Checks', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it(
    'open one page for a stream, also if it is checked again, and one for a playback ID',
    withProduct({}, async (product) => {
      const { id, name, playbackId } = liveStream(product);
      await product.run('checkStream', id);
      await eventually(() => assert.deepEqual(openChecks(), [`${name} (Check)`]));
      product.service.control.endBroadcast(id);
      const answering = answerBoxes(() => 'Check Without Broadcasting', []);
      await product.run('checkStream', id).finally(() => answering.dispose());
      assert.deepEqual(openChecks(), [`${name} (Check)`]);
      await product.run('inspectPlayback', playbackId);
      await eventually(() => assert.equal(openChecks().length, 2));
      assert.match(openChecks().at(-1) ?? '', /^127\.0\.0\.1:\d+ \(Check\)$/);
      assert.deepEqual(product.window.said, []);
    }),
  );

  it(
    'say on their page, and in no message, that a stream cannot be checked',
    withProduct({}, async (product) => {
      const { id, name } = liveStream(product);
      await product.rows();
      product.service.control.fault(() => ({ status: 503 }));
      await product.run('checkStream', id);
      await eventually(() => assert.deepEqual(openChecks(), [`${name} (Check)`]));
      assert.deepEqual(product.window.said, []);
    }),
  );
});

describe('Tasks', () => {
  /** Runs the task of this definition from a tasks.json, as the user does. Returns the code that it ended with. */
  async function runTask(definition: Readonly<Record<string, string>>): Promise<number | undefined> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open');
    const file = vscode.Uri.joinPath(folder, '.vscode', 'tasks.json');
    const task = { type: 'liveStreams', label: 'Check', problemMatcher: [], ...definition };
    await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify({ version: '2.0.0', tasks: [task] })));
    try {
      const found = await eventually(async () => {
        const tasks = await vscode.tasks.fetchTasks({ type: 'liveStreams' });
        const written = tasks.find((each) => each.definition.stream === definition.stream);
        return written ?? assert.fail(`${tasks.length} tasks`);
      });
      const { promise, resolve } = Promise.withResolvers<number | undefined>();
      const ended = vscode.tasks.onDidEndTaskProcess(({ exitCode, execution }) => {
        if (execution.task.definition.stream === definition.stream) resolve(exitCode);
      });
      await vscode.tasks.executeTask(found);
      return await promise.finally(() => ended.dispose());
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  }

  it(
    'check a live stream by its name and end with 0, and an idle one by its ID with 1',
    withProduct({}, async (product) => {
      const { name, id } = liveStream(product);
      assert.equal(await runTask({ task: 'check', stream: name }), 0);
      product.service.control.endBroadcast(id);
      assert.equal(await runTask({ task: 'check', stream: id }), 1);
      assert.deepEqual(product.window.said, []);
    }),
  );

  it(
    'start a test broadcast and end with 0 once it is live, or with 1 if the question is dismissed',
    withProduct({}, async (product) => {
      const { window, run } = product;
      const { id, name } = idleStream(product);
      const task = { task: 'testBroadcast', stream: name };
      assert.equal(await runTask(task), 1);
      assert.deepEqual(window.questions, [`Start a test broadcast to "${name}"?`]);
      window.presses.push('Start Test Broadcast');
      assert.equal(await runTask(task), 0);
      await run('stopTestBroadcast', id);
      assert.equal(window.questions.length, 2);
    }),
  );
});
