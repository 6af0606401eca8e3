import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerBoxes } from './answeredBoxes.ts';
import { eventually } from './eventually.ts';
import { type Product, withProduct } from './product.ts';

const shown = () => vscode.window.activeTextEditor?.document;
const text = () => shown()?.getText() ?? '';

function liveStream({ service }: Product) {
  const found = service.control.streams().find(({ isActive, parentId }) => isActive && parentId === undefined);
  return found ?? assert.fail('No stream is live');
}

function idleStream({ service }: Product) {
  const streams = service.control.streams().filter(({ parentId, suspended }) => parentId === undefined && !suspended);
  return streams.find(({ isActive }) => !isActive) ?? assert.fail('No stream is idle');
}

describe('Checks', () => {
  it(
    'show a read-only text about a live stream, which nothing can be revealed of',
    withProduct({}, async (product) => {
      const { id, name, streamKey = '' } = liveStream(product);
      await product.run('checkStream', id);
      await eventually(() => assert.ok(text().startsWith(`Check results for "${name}"\n`), text()));
      assert.equal(shown()?.languageId, 'plaintext');
      assert.match(text(), / {2}✓ State: Live\n/);
      assert.match(text(), / {2}✓ Time to first segment: /);
      assert.ok(!text().includes(' ✗ '), text());
      assert.ok(!text().includes(streamKey));
      const before = text();
      await vscode.commands.executeCommand('type', { text: 'x' }).then(undefined, () => undefined);
      assert.equal(text(), before);
      const sentences = () => product.window.said.map((message) => message.text).join();
      assert.equal(sentences(), '');
      await product.run('revealSecrets');
      assert.match(sentences(), /^To reveal secrets, first open/);
      assert.equal(text(), before);
    }),
  );

  it(
    'replace the report before of the same stream, and open one for a playback ID',
    withProduct({}, async (product) => {
      const { id, playbackId } = liveStream(product);
      await product.run('checkStream', id);
      const [first, tab] = [text(), shown()?.uri.toString()];
      product.service.control.endBroadcast(id);
      const answering = answerBoxes(() => 'Check Without Playback', []);
      await product.run('checkStream', id).finally(() => answering.dispose());
      await eventually(() => assert.match(text(), / {2}! State: Idle\n/));
      assert.ok(first.includes('State: Live') && shown()?.uri.toString() === tab);
      await product.run('inspectPlayback', playbackId);
      await eventually(() => assert.match(text(), /^HLS playback on 127\.0\.0\.1:\d+\n/));
      assert.match(text(), / {2}✗ Playlist: 127\.0\.0\.1:\d+ returned 404\n/);
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
