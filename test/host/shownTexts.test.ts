import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fieldsOf } from '../support/fieldsOf.ts';
import { eventually } from './eventually.ts';
import { type Product, withProduct } from './product.ts';
import { replace } from './replace.ts';

/** As links in messages and icons in labels are written. */
const NAME = '[press](command:workbench.action.quit) $(zap)';

function addHostile({ service }: Product) {
  return service.control.addStream({ name: NAME });
}

/** The boxes that the extension opens while a command runs; each is dismissed once it is there. */
async function boxesOf<Box extends vscode.QuickInput>(
  name: 'createQuickPick' | 'createInputBox',
  run: () => Promise<unknown>,
  isReady: (box: Box) => boolean = () => true,
): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  const window: object = vscode.window;
  const create: () => Box = Reflect.get(window, name);
  const watching = replace(vscode.window, name, () => {
    const box = create();
    boxes.push(box);
    const { show } = box;
    box.show = () => {
      show.call(box);
      void eventually(() => assert.ok(isReady(box))).finally(() => box.hide());
    };
    return box;
  });
  try {
    await run();
  } finally {
    watching.dispose();
  }
  return boxes;
}

describe('A name from the service', () => {
  it(
    'makes no link in a message and no icon in the status bar',
    withProduct({}, async (product) => {
      const { id } = addHostile(product);
      await product.run('retry', id);
      product.service.control.deleteStream(id);
      await product.run('retry', id);
      const said = product.window.said.map(({ text }) => text).join('\n');
      assert.ok(said.includes('[press] (command:workbench.action.quit)'), said);
      await product.run('copyIngestUrl', addHostile(product).id);
      const flashes = product.window.flashes.join('\n');
      assert.ok(flashes.includes('\\$(zap)') && !/(?<!\\)\$\(zap\)/.test(flashes), flashes);
    }),
  );

  it(
    'makes no icon in a picker, where it is found by its id',
    withProduct({}, async (product) => {
      addHostile(product);
      const isThere = ({ items }: vscode.QuickPick<vscode.QuickPickItem>) =>
        items.some(({ label }) => label.includes('[press]'));
      const boxes = await boxesOf('createQuickPick', () => product.run('goToStream'), isThere);
      const [box] = boxes;
      const labels = box?.items.map(({ label }) => label).filter((label) => label.includes('[press]')) ?? [];
      assert.equal(labels.length, 1);
      assert.ok(!/(?<!\\)\$\(zap\)/.test(labels[0] ?? ''), labels[0]);
      assert.deepEqual([box?.matchOnDescription, box?.title], [true, 'Go to Stream']);
    }),
  );
});

describe('Questions', () => {
  it(
    'the question before a stream is deleted is modal, and nothing is deleted when it is dismissed',
    withProduct({}, async (product) => {
      const { id } = addHostile(product);
      const asked: unknown[] = [];
      const watching = replace(vscode.window, 'showWarningMessage', async (...args: readonly unknown[]) => {
        asked.push(args[1]);
      });
      try {
        await product.run('deleteStream', id);
      } finally {
        watching.dispose();
      }
      assert.deepEqual(
        asked.map((options) => typeof options === 'object' && options !== null && 'modal' in options && options.modal),
        [true],
      );
      assert.ok(product.service.control.streams().some((stream) => stream.id === id));
    }),
  );

  it(
    'the box for an API key hides what is typed, and stays open while the key is looked up elsewhere',
    withProduct({}, async (product) => {
      const boxes = await boxesOf<vscode.InputBox>('createInputBox', () => product.run('setApiKey'));
      assert.deepEqual(fieldsOf(boxes, 'password', 'ignoreFocusOut', 'value'), [[true, true, '']]);
    }),
  );
});

describe('The item in the status bar of a window', () => {
  it(
    'says how many streams are live, and runs a command that exists',
    withProduct({ demo: { liveCount: 2 } }, async ({ rows, window }) => {
      await rows();
      const heard = (what: string) => window.heard.filter((line) => line.startsWith(`status bar ${what}`));
      await eventually(() => assert.match(heard('text').at(-1) ?? '', /\b2 live/));
      const [command] = heard('command').slice(-1);
      const id = command?.split(': ')[1] ?? '';
      assert.match(id, /^liveStreams\./);
      assert.ok((await vscode.commands.getCommands(true)).includes(id), id);
      assert.ok(heard('show').length > 0);
    }),
  );
});

describe('A failure that nobody foresaw', () => {
  it(
    'is in the log with its cause',
    withProduct({}, async (product) => {
      const { executeCommand } = vscode.commands;
      const torn = replace(vscode.commands, 'executeCommand', async (command: string, ...args: readonly unknown[]) => {
        if (command === 'vscode.open') throw new Error('the browser is torn');
        return executeCommand(command, ...args);
      });
      try {
        await product.run('openDashboard', addHostile(product).id);
      } finally {
        torn.dispose();
      }
      const errors = product.log.filter((line) => line.startsWith('error'));
      assert.ok(
        errors.some((line) => line.includes('the browser is torn')),
        product.log.join('\n'),
      );
    }),
  );
});
