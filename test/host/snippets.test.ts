import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { answerBoxes } from './answeredBoxes.ts';
import { eventually } from './eventually.ts';
import { type Product, withProduct } from './product.ts';

describe('Snippets in editors', () => {
  const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'snippets');

  before(() => mkdirSync(folder, { recursive: true }));
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => rmSync(folder, { recursive: true }));

  it(
    'are one step to undo, with their imports and the indentation of the file',
    withProduct({}, async (product) => {
      const before = 'import sys\n\nclass A:\n\t\n';
      const { document, editor } = await open('a.py', before);
      editor.options = { insertSpaces: false, tabSize: 4 };
      editor.selection = new vscode.Selection(3, 1, 3, 1);
      const text = await product.run('insertSnippet', { id: streamOf(product).id, form: 'getStream' });
      assert.match(String(text), /^import os\nimport requests\n\n\ndef get_stream\(\):\n {4}response/);
      const after =
        /^import sys\nimport os\nimport requests\n\nclass A:\n\tdef get_stream\(\):\n\t\tresponse = [\s\S]*\n$/;
      assert.match(document.getText(), after);
      await vscode.commands.executeCommand('undo');
      await eventually(() => assert.equal(document.getText(), before));
      assert.equal(document.isDirty, false);
    }),
  );

  it(
    'are handlers of the framework that the nearest package.json has, in one step to undo',
    withProduct({}, async (product) => {
      mkdirSync(join(folder, 'app', 'api'), { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{"dependencies":{"express":"5"}}');
      writeFileSync(join(folder, 'app', 'package.json'), '{"dependencies":{"hono":"4"}}');
      const before = "import { a } from './a';\n\na();\n";
      const { document, editor } = await open(join('app', 'api', 'index.ts'), before);
      editor.selection = new vscode.Selection(3, 0, 3, 0);
      // The first row is chosen.
      const boxes = answerBoxes(() => undefined, []);
      try {
        assert.match(String(await product.run('insertWebhookHandler')), /^import \{ Hono \} from 'hono';\n/);
      } finally {
        boxes.dispose();
      }
      assert.match(document.getText(), /^import \{ a \} from '\.\/a';\nimport \{ Hono \} from 'hono';\n/);
      await vscode.commands.executeCommand('undo');
      await eventually(() => assert.equal(document.getText(), before));
    }),
  );

  it(
    'are scrolled to if they don’t fit at the cursor',
    withProduct({}, async (product) => {
      const { document, editor } = await open('a.tsx', `function a() {\n\n}\n${'a();\n'.repeat(300)}`);
      editor.selection = new vscode.Selection(1, 0, 1, 0);
      const isShown = (line: number) =>
        editor.visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line);
      await eventually(() => assert.ok(isShown(0)));
      await product.run('insertSnippet', { id: streamOf(product).id, form: 'component' });
      assert.ok(document.lineCount > 310);
      await eventually(() => assert.ok(isShown(310) && !isShown(0)));
    }),
  );

  it(
    'say so where the text can’t be edited',
    withProduct({}, async (product) => {
      const { id } = streamOf(product);
      await product.run('openJson', id);
      const before = vscode.window.activeTextEditor?.document.getText();
      assert.equal(await product.run('insertSnippet', { id, form: 'id' }), undefined);
      assert.equal(vscode.window.activeTextEditor?.document.getText(), before);
      assert.equal(product.window.said.at(-1)?.text, "Couldn't edit the file. It may be read-only.");
    }),
  );

  it(
    'are code of a notebook’s cell',
    withProduct({}, async (product) => {
      const cells = ['markdown', 'code'].map((cell_type) => {
        return {
          cell_type,
          metadata: {},
          source: '',
          ...(cell_type === 'code' && { execution_count: null, outputs: [] }),
        };
      });
      const file = join(folder, 'n.ipynb');
      const metadata = { language_info: { name: 'python' } };
      writeFileSync(file, JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }));
      const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
      await vscode.window.showNotebookDocument(notebook, { selections: [new vscode.NotebookRange(1, 2)] });
      await vscode.commands.executeCommand('notebook.cell.edit');
      const { document } = notebook.cellAt(1);
      await eventually(() => assert.equal(vscode.window.activeTextEditor?.document, document));
      await product.run('insertSnippet', { id: streamOf(product).id, form: 'getStream' });
      assert.match(document.getText(), /^import os\nimport requests\n\n\ndef get_stream\(\):\n/);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }),
  );

  function streamOf({ service }: Product) {
    return service.control.streams()[0] ?? assert.fail('There is no stream');
  }

  async function open(name: string, text: string) {
    writeFileSync(join(folder, name), text);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, name)));
    return { document, editor: await vscode.window.showTextDocument(document, { preview: false }) };
  }
});
