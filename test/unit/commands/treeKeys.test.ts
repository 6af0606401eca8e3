import assert from 'node:assert/strict';
import manifest from '../../../package.json' with { type: 'json' };
import { runCommand } from '../../../src/commands/boundary.ts';
import { TREE_KEYS } from '../../../src/commands/runById.ts';
import type { Node } from '../../../src/tree/nodes.ts';
import { withCommands } from './fixture.ts';

const GROUP: Node = { kind: 'group', id: 'idle', list: 'idle' };

describe('The keys of the Streams view', () => {
  it('are for its rows alone, not for its find box, and outside the palette', () => {
    const { keybindings, menus } = manifest.contributes;
    const keys = keybindings.filter(({ command }) => command.startsWith('liveStreams.tree.'));
    assert.deepEqual(
      new Set(keys.map(({ command }) => command.replace('liveStreams.', ''))),
      new Set(Object.keys(TREE_KEYS)),
    );
    for (const { command, when } of keys) {
      assert.match(when, /focusedView == liveStreams\.streams && listFocus && !inputFocus$/);
      const palette = menus.commandPalette.find((item) => item.command === command);
      assert.equal(palette?.when, 'false', command);
    }
  });

  it(
    'do what the menu does, each stream once, and leave other rows alone',
    withCommands({ answers: { confirms: [true] } }, async ({ context, ui, service, requests }) => {
      const id = context.store.snapshot.lists.idle.ids[0] ?? '';
      const name = service.control.streams().find((stream) => stream.id === id)?.name;
      const rows: readonly Node[] = [
        { kind: 'stream', id: `idle/${id}`, list: 'idle', streamId: id },
        { kind: 'stream', id: `recording/${id}`, list: 'recording', streamId: id },
        { kind: 'session', id: `idle/${id}/x`, list: 'idle', streamId: id, sessionId: 'x' },
      ];
      const press = async (key: string, pressed: readonly Node[]): Promise<void> => {
        const handler = TREE_KEYS[key];
        assert.ok(handler);
        await runCommand(context, (next) => handler(next, pressed[0], pressed));
      };
      await press('tree.copyPlaybackId', [GROUP]);
      assert.deepEqual([ui.seen.copied, ui.seen.picks], [[], []]);
      await press('tree.copyPlaybackId', rows);
      assert.equal(ui.seen.copied.length, 1);
      await press('tree.delete', [GROUP]);
      await press('tree.rename', rows.slice(2));
      assert.equal(ui.seen.inputs.length + ui.seen.questions.length, 0);
      await press('tree.rename', rows);
      assert.equal(ui.seen.inputs[0]?.value, name);
      await press('tree.delete', rows);
      assert.equal(ui.seen.questions[0]?.message, `Delete "${name}"?`);
      assert.equal(requests().filter((request) => request.startsWith('DELETE')).length, 1);
    }),
  );
});
