import assert from 'node:assert/strict';
import { COMMANDS } from '../../../src/commands/table.ts';
import { readPageMessage, targetOf } from '../../../src/host/detailsMessages.ts';
import type { PageCommand } from '../../../src/webview/details/messages.ts';

describe('What the details page may say', () => {
  it('is that it is ready, an act of its tab, or a command of the list', () => {
    assert.deepEqual(readPageMessage({ kind: 'ready' }), { kind: 'ready' });
    assert.deepEqual(readPageMessage({ kind: 'act', act: 'reveal' }), { kind: 'act', act: 'reveal' });
    const command = { kind: 'command', command: 'copyStreamKey' };
    assert.deepEqual(readPageMessage(command), command);
  });

  it('is nothing else', () => {
    const commands = ['deleteStream', 'liveStreams.copyStreamKey', 'workbench.action.quit', 'toString', '__proto__', 7];
    for (const command of commands) assert.equal(readPageMessage({ kind: 'command', command }), undefined);
    for (const act of ['copyStreamKey', 'constructor', '', undefined]) {
      assert.equal(readPageMessage({ kind: 'act', act }), undefined);
    }
    for (const message of [undefined, null, 'ready', 7, [], {}, { kind: 'show' }]) {
      assert.equal(readPageMessage(message), undefined);
    }
  });

  it('names a session where a command is about one, by an id that can be one', () => {
    const open = { kind: 'command', command: 'openRecording' };
    assert.deepEqual(readPageMessage({ ...open, session: 's-1' }), { ...open, session: 's-1' });
    for (const session of ['../x', '', 7, {}]) assert.equal(readPageMessage({ ...open, session }), undefined);
    assert.equal(readPageMessage({ kind: 'command', command: 'copyStreamKey', session: 's-1' }), undefined);
  });

  it('carries nothing beyond that', () => {
    const message = { kind: 'command', command: 'openRecording', session: 's-1', args: ['--evil'], url: 'file:///etc' };
    assert.deepEqual(Object.keys(readPageMessage(message) ?? {}), ['kind', 'command', 'session']);
  });

  it('are commands that exist, none of which changes anything at the service', () => {
    const all = Object.keys(COMMANDS).filter((command) => readPageMessage({ kind: 'command', command }) !== undefined);
    assert.equal(all.length, 23);
    for (const command of all) assert.doesNotMatch(command, /^(delete|rename|suspend|resume|turn|end|create|remove)/);
    assert.ok(all.every((command) => ['stream', 'session', 'none'].includes(targetOf(command as PageCommand))));
  });
});
