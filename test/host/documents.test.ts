import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createDocuments } from '../../src/host/boxes/documents.ts';
import { eventually } from './eventually.ts';

const SCHEME = 'live-streams-json-test';
const keynote = {
  key: 'c/stream/1',
  fileName: 'Keynote.json',
  masked: '{"streamKey":"••••"}',
  revealed: '{"streamKey":"a-b"}',
};

describe('Masked documents', () => {
  const documents = createDocuments(SCHEME);
  const activeText = () => vscode.window.activeTextEditor?.document.getText();
  const closeAll = () => vscode.commands.executeCommand('workbench.action.closeAllEditors');
  after(() => documents.dispose());
  afterEach(closeAll);

  it('open masked, as read-only JSON, under their name and without a secret in their address', async () => {
    await documents.show(keynote);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.getText(), keynote.masked);
    assert.equal(document?.languageId, 'json');
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Keynote.json');
    assert.doesNotMatch(document?.uri.toString(true) ?? '', /a-b/);
  });

  it('stay masked when they are shown again', async () => {
    for (const masked of [keynote.masked, '{"streamKey":"••••","name":"x"}']) {
      await documents.show({ ...keynote, masked });
      await eventually(() => assert.equal(activeText(), masked));
    }
  });

  it('reveal the active one until it closes', async () => {
    await documents.show(keynote);
    assert.equal(documents.revealActive(), true);
    await eventually(() => assert.equal(activeText(), keynote.revealed));
    await documents.show({ ...keynote, revealed: '{"streamKey":"c-d"}' });
    await eventually(() => assert.equal(activeText(), '{"streamKey":"c-d"}'));
    await closeAll();
    await documents.show(keynote);
    await eventually(() => assert.equal(activeText(), keynote.masked));
  });

  it('forget their text when their tab closes', async () => {
    await documents.show(keynote);
    const uri = vscode.window.activeTextEditor?.document.uri;
    assert.ok(uri);
    await closeAll();
    await eventually(() => assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, 0));
    await eventually(async () => {
      const document = await vscode.workspace.openTextDocument(uri);
      assert.doesNotMatch(document.getText(), /streamKey/);
    });
  });

  it('reveal nothing where another document is active', async () => {
    await documents.show(keynote);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'mine' }));
    assert.equal(documents.revealActive(), false);
  });

  it('keep a name with slashes in one tab', async () => {
    await documents.show({ ...keynote, key: 'c/stream/2', fileName: '../a/b' });
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, '.._a_b.json');
  });
});
