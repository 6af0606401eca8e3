import assert from 'node:assert/strict';
import manifest from '../../../package.json' with { type: 'json' };
import { runCommand } from '../../../src/commands/boundary.ts';
import { argumentsOfKey, hasDetailsOnEnter } from '../../../src/commands/treeKeys.ts';
import type { Node } from '../../../src/model/rows/nodes.ts';
import { withCommands } from './fixture.ts';

const GROUP: Node = { kind: 'group', id: 'idle', list: 'idle' };
const streamRow = (streamId: string, list: 'idle' | 'recording' = 'idle'): Node => ({
  ...{ kind: 'stream', id: `${list}/${streamId}`, list, streamId },
});
const sessionRow = (streamId: string): Node => ({
  ...{ kind: 'session', id: `idle/${streamId}/x`, list: 'idle', streamId, sessionId: 'x' },
});

describe('The keys of the Streams view', () => {
  const { keybindings, menus } = manifest.contributes;

  it('are for its rows alone, not for its find box', () => {
    assert.equal(keybindings.length, 4);
    for (const { when, args } of keybindings) {
      assert.equal(when, 'focusedView == liveStreams.streams && listFocus && !inputFocus');
      assert.deepEqual(args, [{ $treeViewId: 'liveStreams.streams', $focusedTreeItem: true }, 'key']);
    }
  });

  it('belong to commands in the menu of a stream or in its submenus, which therefore show them', () => {
    const listed = menus['view/item/context'].filter(({ group }) => !group.startsWith('inline'));
    const entries = [...listed, ...menus['liveStreams.copyOfStream'], ...menus['liveStreams.editStream']];
    const shown = entries.flatMap((item) => ('command' in item ? [item.command] : []));
    for (const { command } of keybindings) assert.ok(shown.includes(command), command);
  });

  it('act on the focused row, or on the selection if that row is among them', () => {
    const [a, b, c] = [streamRow('a'), streamRow('b'), streamRow('c')];
    assert.deepEqual(argumentsOfKey('deleteStream', a, []), [a, [a]]);
    assert.deepEqual(argumentsOfKey('deleteStream', a, [b]), [a, [a]]);
    assert.deepEqual(argumentsOfKey('deleteStream', c, [a, b]), [c, [c]]);
    assert.deepEqual(argumentsOfKey('deleteStream', b, [a, b]), [b, [a, b]]);
  });

  it('copy the playback IDs of the streams among the rows, and nothing of other rows', () => {
    const [a, session] = [streamRow('a'), sessionRow('b')];
    assert.deepEqual(argumentsOfKey('copyPlaybackId', session, [a, session]), [a, [a]]);
    assert.equal(argumentsOfKey('copyPlaybackId', session, [session]), undefined);
    assert.equal(argumentsOfKey('copyPlaybackId', GROUP, []), undefined);
  });

  it('open details with Enter on streams, and leave other rows to VS Code', () => {
    assert.deepEqual(
      [streamRow('a'), GROUP, sessionRow('a')].map((row) => hasDetailsOnEnter(row)),
      [true, false, false],
    );
  });

  it(
    'do what the menu does, each stream once, and leave other rows alone',
    withCommands({ answers: { confirms: [true] } }, async ({ context, ui, service, requests }) => {
      const id = context.store.snapshot.lists.idle.ids[0] ?? '';
      const name = service.control.streams().find((stream) => stream.id === id)?.name;
      const rows = [streamRow(id), streamRow(id, 'recording'), sessionRow(id)];
      const press = async (command: string, focused: Node | undefined, selection: readonly Node[]): Promise<void> => {
        const given = focused && argumentsOfKey(command, focused, selection);
        if (given !== undefined) await runCommand(context, command, given);
      };
      await press('copyPlaybackId', GROUP, [GROUP]);
      assert.deepEqual([ui.seen.copied, ui.seen.picks], [[], []]);
      await press('copyPlaybackId', rows[0], rows);
      assert.equal(ui.seen.copied.length, 1);
      await press('deleteStream', GROUP, [GROUP]);
      await press('renameStream', rows[2], []);
      assert.equal(ui.seen.inputs.length + ui.seen.questions.length, 0);
      await press('renameStream', rows[0], rows);
      assert.equal(ui.seen.inputs[0]?.value, name);
      await press('deleteStream', rows[0], rows);
      assert.equal(ui.seen.questions[0]?.message, `Delete "${name}"?`);
      assert.equal(requests().filter((request) => request.startsWith('DELETE')).length, 1);
    }),
  );
});
