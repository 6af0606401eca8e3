import assert from 'node:assert/strict';
import { COMMANDS } from '../../../src/commands/table.ts';
import { readDetailsMessage, targetOf } from '../../../src/panels/detailsMessages.ts';
import type { PageAct, PageCommand } from '../../../src/webview/details/messages.ts';

describe('What the details page may say', () => {
  it('is an act of its tab, or a command of the list', () => {
    assert.deepEqual(readDetailsMessage({ kind: 'press', act: 'reveal' }), { kind: 'act', act: 'reveal' });
    assert.deepEqual(readDetailsMessage({ kind: 'press', act: 'copyStreamKey' }), {
      kind: 'command',
      command: 'copyStreamKey',
    });
  });

  it('is each act that a page has a button for', () => {
    const acts: Readonly<Record<PageAct, string>> = {
      ...{
        reveal: '',
        hide: '',
        copySrt: '',
        copyWhip: '',
        copyProjectId: '',
        copyOwnPlaybackId: '',
        setAddress: '',
        setOtherAddress: '',
        retry: '',
        loadMore: '',
        showStream: '',
        openOwnConnection: '',
      },
    };
    for (const act of Object.keys(acts)) {
      assert.deepEqual(readDetailsMessage({ kind: 'press', act }), { kind: 'act', act });
    }
  });

  it('is what its player may say', () => {
    const said = { kind: 'act', action: 'retry' };
    assert.deepEqual(readDetailsMessage({ kind: 'player', said }), { kind: 'player', said });
    for (const wrong of [undefined, null, 'act', { kind: 'act', action: 'deleteStream' }]) {
      assert.equal(readDetailsMessage({ kind: 'player', said: wrong }), undefined);
    }
  });

  it('is nothing else', () => {
    const wrong = [
      'removeConnection',
      'liveStreams.copyStreamKey',
      'workbench.action.quit',
      'toString',
      '__proto__',
      7,
      '',
    ];
    for (const act of [...wrong, undefined]) assert.equal(readDetailsMessage({ kind: 'press', act }), undefined);
    for (const message of [undefined, null, 'press', 7, [], {}, { kind: 'show', act: 'reveal' }]) {
      assert.equal(readDetailsMessage(message), undefined);
    }
  });

  it('names a session where a command is about one, by an id that can be one', () => {
    const open = { kind: 'press', act: 'openRecording' };
    const command = { kind: 'command', command: 'openRecording' };
    assert.deepEqual(readDetailsMessage({ ...open, session: 's-1' }), { ...command, session: 's-1' });
    for (const session of ['../x', '', 7, {}]) assert.equal(readDetailsMessage({ ...open, session }), undefined);
    for (const act of ['copyStreamKey', 'reveal']) {
      assert.equal(readDetailsMessage({ kind: 'press', act, session: 's-1' }), undefined);
    }
  });

  it('names a target where a command is about one, by an id that can be one', () => {
    const press = { kind: 'press', act: 'removeMultistreamTarget' };
    const command = { kind: 'command', command: 'removeMultistreamTarget' };
    assert.deepEqual(readDetailsMessage({ ...press, target: 't-1' }), { ...command, target: 't-1' });
    for (const target of ['../x', '', 7, {}, undefined])
      assert.equal(readDetailsMessage({ ...press, target }), undefined);
    for (const act of ['copyStreamKey', 'reveal', 'openRecording']) {
      assert.equal(readDetailsMessage({ kind: 'press', act, target: 't-1' }), undefined);
    }
    const add = { kind: 'press', act: 'addMultistreamTarget' };
    const added = { kind: 'command', command: 'addMultistreamTarget' };
    assert.deepEqual(readDetailsMessage(add), added);
    assert.deepEqual(readDetailsMessage({ ...add, target: 't-1' }), { ...added, target: 't-1' });
    assert.equal(readDetailsMessage({ ...add, target: '../x' }), undefined);
  });

  it('names a clip where a command is about one', () => {
    const press = { kind: 'press', act: 'openClip' };
    assert.deepEqual(readDetailsMessage({ ...press, target: 'c-1' }), {
      ...{ kind: 'command', command: 'openClip', target: 'c-1' },
    });
    for (const target of ['../x', undefined]) assert.equal(readDetailsMessage({ ...press, target }), undefined);
  });

  it('carries no field beyond the known ones', () => {
    const message = { kind: 'press', act: 'openRecording', session: 's-1', args: ['--evil'], url: 'file:///etc' };
    assert.deepEqual(Object.keys(readDetailsMessage(message) ?? {}), ['kind', 'command', 'session']);
  });

  it('are commands that exist, of which those that change anything change the stream of the page, or clip its session', () => {
    const isCommand = (act: string) =>
      [{ act }, { act, target: 't' }].some(
        (each) => readDetailsMessage({ kind: 'press', ...each })?.kind === 'command',
      );
    const all = Object.keys(COMMANDS).filter(isCommand);
    assert.equal(all.length, 45);
    const changing = all.filter((each) =>
      /^(delete|edit|rename|suspend|resume|turn|end|create|remove|setPlayback|add(?!Connection))/.test(each),
    );
    assert.deepEqual(changing.sort(), [
      'addMultistreamTarget',
      'createClip',
      'createStream',
      'deleteStream',
      'editRenditions',
      'editTags',
      'endBroadcast',
      'removeMultistreamTarget',
      'renameStream',
      'resumeStream',
      'setPlaybackPolicy',
      'suspendStream',
      'turnOffMultistreamTarget',
      'turnOnMultistreamTarget',
      'turnRecordingOff',
      'turnRecordingOn',
    ]);
    for (const command of changing) {
      const isOfTarget = /^(turn|remove).*Target$/.test(command);
      const expected = { createClip: 'own', createStream: 'none', addMultistreamTarget: 'streamOrTarget' }[command];
      assert.equal(targetOf(command as PageCommand), expected ?? (isOfTarget ? 'target' : 'stream'));
    }
    assert.ok(
      all.every((command) =>
        ['stream', 'streamOrTarget', 'session', 'target', 'clip', 'own', 'none'].includes(
          targetOf(command as PageCommand),
        ),
      ),
    );
  });
});
