import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { showInput } from '../../src/host/boxes/inputBox.ts';
import { showPick, showPickMany } from '../../src/host/boxes/pickers.ts';
import { askAndSave } from '../../src/host/boxes/saveDialog.ts';
import { createUi } from '../../src/host/boxes/ui.ts';
import type { PickSession } from '../../src/services.ts';
import { mountSmallDisk } from '../support/files/smallDisk.ts';
import { eventually } from './eventually.ts';
import { replace } from './replace.ts';
import { tornFiles } from './tornFiles.ts';

const run = (command: string) => vscode.commands.executeCommand(command);
const accept = () => run('workbench.action.acceptSelectedQuickOpenItem');
const item = (label: string) => ({ label, value: label });
/** The box lives in the window: what is set here is there some of its turns later. On a busy machine, these take longer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await wait(30);
    await vscode.commands.getCommands();
  }
}

describe('Pickers', () => {
  afterEach(() => run('workbench.action.closeQuickOpen'));

  it('give the value of the row that was chosen', async () => {
    const chosen = showPick({ title: 'Pick', placeholder: 'Select one', items: [item('one'), item('two')] });
    await settle();
    await run('workbench.action.quickOpenSelectNext');
    await settle();
    await accept();
    assert.equal(await chosen, 'two');
  });

  it('begin at the row whose value is given', async () => {
    const items = ['one', 'two', 'three'].map(item);
    const chosen = showPick({ title: 'Pick', placeholder: 'Select one', items, highlighted: 'two' });
    await settle();
    await accept();
    assert.equal(await chosen, 'two');
  });

  it('stay open when they lose the focus only if earlier boxes were answered', async () => {
    for (const { back, expected } of [{ back: undefined }, { back: () => {}, expected: 'one' }]) {
      const options = { title: 'Pick', placeholder: 'Select one', items: [item('one')], back };
      const chosen = showPick(options);
      await settle();
      await run('workbench.action.focusSideBar');
      await settle();
      await accept();
      assert.equal(await chosen, expected);
    }
  });

  it('keep what the person highlighted while items arrive', async () => {
    const { promise, resolve } = Promise.withResolvers<PickSession<string>>();
    const chosen = showPick({ title: 'Pick', placeholder: 'Select one', items: resolve });
    const session = await promise;
    session.show([item('one'), item('two')], true);
    await settle();
    await run('workbench.action.quickOpenSelectNext');
    await settle();
    session.show([item('new'), item('one'), item('two'), item('three')], false);
    await settle();
    await accept();
    assert.equal(await chosen, 'two');
  });

  it('give the value of the row that was on screen when it was chosen, though others have its place by then', async () => {
    const { promise, resolve } = Promise.withResolvers<PickSession<string>>();
    const chosen = showPick({ title: 'Pick', placeholder: 'Select one', items: resolve });
    const session = await promise;
    session.show([item('one'), item('two')], true);
    await settle();
    const accepted = accept(); // is on its way when the new rows are set, and VS Code gets them after it
    session.show([item('new'), item('one'), item('two')], false);
    await accepted;
    assert.equal(await chosen, 'one');
  });

  it('go back, which closes them without a value', async () => {
    let went = 0;
    const chosen = showPick({ title: 'Pick', placeholder: 'Select one', items: [item('one')], back: () => went++ });
    await settle();
    await run('workbench.action.quickInputBack');
    assert.equal(await chosen, undefined);
    assert.equal(went, 1);
  });

  it('give the values of what is checked in their checkboxes, or nothing when dismissed', async () => {
    const items = ['one', 'two'].map((label) => ({ ...item(label), isPicked: label === 'two' }));
    const chosen = showPickMany({ title: 'Pick', placeholder: 'Select one', items });
    await settle();
    await accept();
    assert.deepEqual(await chosen, ['two']);
    const dismissed = showPickMany({ title: 'Pick', placeholder: 'Select one', items });
    await settle();
    await run('workbench.action.closeQuickOpen');
    assert.equal(await dismissed, undefined);
  });

  it('give nothing when dismissed, and end what fills them', async () => {
    const { promise, resolve } = Promise.withResolvers<PickSession<string>>();
    const chosen = showPick({ title: 'Pick', placeholder: 'Select one', items: resolve });
    const session = await promise;
    await settle();
    await run('workbench.action.closeQuickOpen');
    assert.equal(await chosen, undefined);
    assert.equal(session.signal.aborted, true);
    session.show([item('late')], false);
  });

  it('hand on an error of what fills them', async () => {
    const broken = showPick({
      title: 'Pick',
      placeholder: 'Select one',
      items: () => {
        throw new Error('broken');
      },
    });
    await assert.rejects(broken, /broken/);
  });
});

describe('Input boxes', () => {
  afterEach(() => run('workbench.action.closeQuickOpen'));

  it('stay open while the text will not do', async () => {
    let tries = 0;
    const entered = showInput({
      title: 'Name',
      value: 'x',
      validate: () => (++tries === 1 ? 'Not this one' : undefined),
    });
    await settle();
    await accept();
    await eventually(() => assert.equal(tries, 1));
    await settle();
    await accept();
    assert.equal(await entered, 'x');
    assert.equal(tries, 2);
  });

  it('stay open with the text until its check has passed', async () => {
    const problems = [{ sentence: 'Not this one', links: [] }, undefined];
    const run = async () => problems.shift();
    const entered = showInput({ title: 'Key', value: 'x', check: () => ({ prompt: 'Checking', run }) });
    await settle();
    await accept();
    await eventually(() => assert.equal(problems.length, 1));
    await settle();
    await accept();
    assert.equal(await entered, 'x');
  });

  it('end their check when they are dismissed', async () => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    const hang = (signal: AbortSignal) => {
      resolve(signal);
      return new Promise<undefined>(() => {});
    };
    const entered = showInput({ title: 'Key', value: 'x', check: () => ({ prompt: 'Checking', run: hang }) });
    await settle();
    await accept();
    const signal = await promise;
    assert.equal(signal.aborted, false);
    await run('workbench.action.closeQuickOpen');
    assert.equal(await entered, undefined);
    await eventually(() => assert.equal(signal.aborted, true));
  });

  it('hand on an error of their check', async () => {
    const run = async () => {
      throw new Error('broken');
    };
    const entered = showInput({ title: 'Key', value: 'x', check: () => ({ prompt: 'Checking', run }) });
    await settle();
    void accept();
    await assert.rejects(entered, /broken/);
  });

  it('go back with what was typed', async () => {
    let typed = '';
    const back = (text: string) => {
      typed = text;
    };
    const entered = showInput({ title: 'Name', value: 'typed loaded', step: { current: 2, total: 2 }, back });
    await settle();
    await run('workbench.action.quickInputBack');
    assert.equal(await entered, undefined);
    assert.equal(typed, 'typed loaded');
  });

  it('give nothing when dismissed', async () => {
    const entered = showInput({ title: 'Name' });
    await settle();
    await run('workbench.action.closeQuickOpen');
    assert.equal(await entered, undefined);
  });
});

describe('A file that is saved', () => {
  const bytes = Buffer.from('the new picture');
  const save = async (uri: vscode.Uri) => {
    const dialog = replace(vscode.window, 'showSaveDialog', async () => uri);
    try {
      return await askAndSave({ fileName: 'frame.png', bytes, filters: {} });
    } finally {
      dialog.dispose();
    }
  };

  it('is whole, or as it was: on a disk', async () => {
    const disk = mountSmallDisk(40 * 4096);
    try {
      const path = join(disk.path, 'frame.png');
      writeFileSync(path, 'the old one');
      disk.fill(0);
      await assert.rejects(save(vscode.Uri.file(path)));
      assert.equal(readFileSync(path, 'utf8'), 'the old one');
      for (const name of readdirSync(disk.path)) if (name.startsWith('filler-')) rmSync(join(disk.path, name));
      assert.equal(await save(vscode.Uri.file(path)), true);
      assert.equal(readFileSync(path, 'utf8'), 'the new picture');
      assert.deepEqual(readdirSync(disk.path), ['frame.png']);
    } finally {
      disk.remove();
    }
  });

  it('is whole, or as it was: in another file system', async () => {
    const files = new Map([['/frame.png', 'the old one']]);
    const limits = { bytes: 11 };
    const provider = vscode.workspace.registerFileSystemProvider('vscode-vfs', tornFiles(files, limits));
    const uri = vscode.Uri.parse('vscode-vfs://torn/frame.png');
    try {
      await assert.rejects(save(uri));
      assert.equal(files.get('/frame.png'), 'the old one');
      limits.bytes = 1000;
      assert.equal(await save(uri), true);
      assert.equal(files.get('/frame.png'), 'the new picture');
      // Larger than a text file may be.
      files.set('/frame.png', 'x'.repeat(6_000_000));
      assert.equal(await save(uri), true);
      assert.equal(files.get('/frame.png'), 'the new picture');
    } finally {
      provider.dispose();
    }
  });
});

describe('Work in a text editor', () => {
  afterEach(() => run('workbench.action.revertAndCloseActiveEditor'));

  it('is counted, but not what the extension selects there', async () => {
    const ui = createUi({ log: undefined as never, documents: { show: undefined } as never, reveal: async () => {} });
    try {
      const document = await vscode.workspace.openTextDocument({ content: 'one two' });
      const editor = await vscode.window.showTextDocument(document);
      const before = ui.countEdits();
      editor.selection = new vscode.Selection(0, 2, 0, 3);
      await settle();
      assert.equal(ui.countEdits(), before);
      await vscode.commands.executeCommand('type', { text: 'x' });
      await ui.catchUp();
      assert.ok(ui.countEdits() > before);
    } finally {
      ui.dispose();
    }
  });
});
