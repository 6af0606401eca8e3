import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { type Product, withProduct } from './product.ts';

const API_PATH = '/api/stream';

describe('Keys in files', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const folder = join(root, 'leaks');

  before(async () => {
    mkdirSync(folder, { recursive: true });
    execFileSync('git', ['init', '-q', folder]);
    writeFileSync(join(folder, 'package.json'), '{}\n');
    await setGit(true);
    const git = await vscode.extensions.getExtension('vscode.git')?.activate();
    const api = await eventually(() => git.getAPI(1));
    await eventually(async () => assert.ok(await api.openRepository(vscode.Uri.file(folder))));
  });
  after(async () => {
    await setGit(undefined);
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it(
    'are an error that names the stream and holds no key, gone when the key goes',
    withProduct({}, async (product) => {
      const { streamKey, name } = streamWithKey(product);
      const document = await open('a.py', 'a = 1\n');
      await type(document, `url = 'rtmp://localhost/live/${streamKey}'\n`);
      const [mark] = await eventually(() => {
        const marks = marksOf(document);
        assert.equal(marks.length, 1);
        return marks;
      });
      assert.ok(mark);
      assert.equal(mark.severity, vscode.DiagnosticSeverity.Error);
      assert.equal(document.getText(mark.range), streamKey);
      assert.deepEqual([mark.source, mark.code], ['Live Streams', 'streamKey']);
      assert.ok(mark.message.includes(name), mark.message);
      assert.ok(!JSON.stringify(mark).includes(streamKey));
      await replaceAll(document, 'a = 1\n');
      await eventually(() => assert.deepEqual(marksOf(document), []));
    }),
  );

  it(
    'move to .env, which git ignores then; undo brings them back',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const code = `url = "rtmp://localhost/live/${streamKey}"\n`;
      const document = await open('b.py', code);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      const fixes = await fixesAt(document, code.indexOf(streamKey));
      assert.deepEqual(
        fixes.map(({ title }) => title),
        ['Move to .env', 'Replace with a placeholder', 'Show stream', 'Ignore in this file'],
      );
      assert.equal(fixes[0]?.isPreferred, true);
      const { command } = fixes[0] ?? {};
      void vscode.commands.executeCommand(command?.command ?? '', ...(command?.arguments ?? []));
      await eventually(() => {
        assert.equal(document.getText(), 'url = "rtmp://localhost/live/" + os.environ["STREAM_KEY"]\n');
        assert.deepEqual(marksOf(document), []);
      });
      assert.equal(readFileSync(join(folder, '.env'), 'utf8'), `STREAM_KEY=${streamKey}\n`);
      assert.equal(readFileSync(join(folder, '.gitignore'), 'utf8'), '.env\n');
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), code);
      assert.ok(readFileSync(join(folder, '.env'), 'utf8').includes(streamKey));
      const env = await open('.env');
      await eventually(() => assert.equal(marksOf(document).length, 1));
      assert.deepEqual(marksOf(env), []);
    }),
  );

  it(
    'stay where they are if Git tracks the .env file',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      const own = join(folder, 'tracked');
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'package.json'), '{}\n');
      writeFileSync(join(own, '.env'), 'A=1\n');
      execFileSync('git', ['add', '-f', 'tracked/.env'], { cwd: folder });
      const ignored = readIgnored();
      const code = `key = "${streamKey}"\n`;
      const document = await open('tracked/t.py', code);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      const [move] = await fixesAt(document, code.indexOf(streamKey));
      await vscode.commands.executeCommand(move?.command?.command ?? '', ...(move?.command?.arguments ?? []));
      assert.match(product.window.said.pop()?.text ?? '', /^Git tracks leaks\/tracked\/\.env, so the key wasn't moved/);
      assert.equal(document.getText(), code);
      assert.equal(readFileSync(join(own, '.env'), 'utf8'), 'A=1\n');
      assert.equal(readIgnored(), ignored);
    }),
  );

  it(
    'are looked for at the service once, and only where a token may be one',
    withProduct({}, async (product) => {
      const document = await open(
        'c.ts',
        'const id = "0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11"; // this-that-have-some\n',
      );
      const before = lists(product).length;
      await type(document, 'a = "zzzz-yyyy-xxxx-www9"\n');
      await eventually(() => assert.ok(lists(product).length > before));
      const asked = lists(product).length;
      await type(document, 'b = "zzzz-yyyy-xxxx-www9"\n');
      const { streamKey } = streamWithKey(product);
      await type(document, `c = "${streamKey}"\n`);
      await eventually(() => assert.equal(marksOf(document).length, 1));
      assert.equal(lists(product).length, asked);
    }),
  );

  it(
    'are found in all files of the folder',
    withProduct({}, async (product) => {
      const { streamKey } = streamWithKey(product);
      writeFileSync(join(folder, 'd.py'), `KEY = "${streamKey}"\n`);
      writeFileSync(join(folder, 'binary'), Buffer.from([0, ...Buffer.from(streamKey)]));
      product.window.presses.push('Show Problems');
      const found = (await product.run('findLeakedKeys')) as { readonly leaks: number } | undefined;
      assert.ok(found !== undefined && found.leaks >= 1);
      const marks = vscode.languages.getDiagnostics(vscode.Uri.file(join(folder, 'd.py')));
      assert.equal(marks.length, 1);
      assert.ok(!product.window.readable().includes(streamKey));
    }),
  );

  async function setGit(isEnabled: boolean | undefined): Promise<void> {
    await vscode.workspace.getConfiguration('git').update('enabled', isEnabled, vscode.ConfigurationTarget.Workspace);
  }

  it(
    'are in no snippet of a row, which is inserted at all cursors',
    withProduct({}, async (product) => {
      const { id, streamKey, playbackId } = streamWithKey(product);
      const document = await open('e.json', '[\n  \n  \n]\n');
      const editor = vscode.window.activeTextEditor ?? assert.fail('There is no editor');
      editor.selections = [1, 2].map((line) => new vscode.Selection(line, 2, line, 2));
      assert.equal(await product.run('insertSnippet', { id, form: 'playbackId' }), `"${playbackId}"`);
      assert.equal(document.getText(), `[\n  "${playbackId}"\n  "${playbackId}"\n]\n`);
      await product.run('insertSnippet', { id, form: 'json' });
      assert.ok(!document.getText().includes(streamKey));
    }),
  );

  it(
    'stand beside ids that say whose they are, without a request',
    withProduct({}, async (product) => {
      const { streams } = product.service.control;
      const live = streams().find(({ isActive }) => isActive) ?? assert.fail('Nothing is live');
      const unknown = '0b9e7a52-6a3f-4c52-9d7f-2f6f8f6f1a11';
      await product.rows();
      const document = await open('f.md', `${live.id}\nhttp://h/hls/${live.playbackId}/index.m3u8\n${unknown}\n`);
      const before = product.requests().length;
      const hoverAt = async (line: number, character: number) => {
        const { executeCommand } = vscode.commands;
        const at = new vscode.Position(line, character);
        const hovers = await executeCommand<readonly vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
        return hovers.flatMap(({ contents }) => contents.map((part) => (typeof part === 'string' ? part : part.value)));
      };
      for (const [line, character] of [
        [0, 3],
        [1, 16],
      ] as const) {
        const [text = ''] = await hoverAt(line, character);
        assert.match(text, /Live[\s\S]*Show Details[\s\S]*Copy HLS URL/);
        assert.ok(text.includes(live.name) && !text.includes(live.streamKey ?? '?'));
      }
      assert.deepEqual(await hoverAt(2, 3), []);
      assert.deepEqual(product.requests().slice(before), []);
      const at = new vscode.Position(0, 3);
      const [link] = await vscode.commands.executeCommand<readonly vscode.LocationLink[]>(
        'vscode.executeDefinitionProvider',
        document.uri,
        at,
      );
      const json = await vscode.workspace.openTextDocument(link?.targetUri ?? assert.fail('There is no definition'));
      assert.equal(JSON.parse(json.getText()).id, live.id);
      assert.ok(!json.getText().includes(live.streamKey ?? '?'));
    }),
  );

  function readIgnored(): string {
    return existsSync(join(folder, '.gitignore')) ? readFileSync(join(folder, '.gitignore'), 'utf8') : '';
  }

  function lists(product: Product): readonly string[] {
    return product.requests().filter((line) => line.includes(`${API_PATH}?`));
  }

  function streamWithKey({ service }: Product) {
    const stream = service.control.streams().find(({ isActive, parentId }) => !isActive && parentId === undefined);
    assert.ok(stream?.streamKey !== undefined);
    const { id, name, streamKey, playbackId } = stream;
    return { id, name, streamKey, playbackId };
  }

  async function open(name: string, text?: string): Promise<vscode.TextDocument> {
    if (text !== undefined) writeFileSync(join(folder, name), text);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, name)));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  function marksOf({ uri }: vscode.TextDocument): readonly vscode.Diagnostic[] {
    return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Live Streams');
  }

  async function type(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, document.lineAt(document.lineCount - 1).range.end, text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  async function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  async function fixesAt(document: vscode.TextDocument, offset: number): Promise<readonly vscode.CodeAction[]> {
    const at = document.positionAt(offset);
    const all = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(at, at),
    );
    return all.filter(({ kind }) => kind?.value === 'quickfix');
  }
});
