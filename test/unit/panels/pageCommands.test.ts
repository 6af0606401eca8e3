import assert from 'node:assert/strict';
import { type CommandRequest, runPageCommand } from '../../../src/panels/pageCommands.ts';
import { aSession } from '../../support/model/builders.ts';

type Shown = Parameters<typeof runPageCommand>[2];

async function runOn(shown: Shown, asked: CommandRequest): Promise<unknown> {
  const ran: unknown[] = [];
  await runPageCommand(async (...call) => void ran.push(call), asked, shown);
  return ran[0];
}

describe('A command of a details page', () => {
  const session = aSession({ id: 's', parentId: 'p' });
  const row = { kind: 'session', id: 'session/s', sessionId: 's', streamId: 'p' };
  const ofStream: Shown = { kind: 'stream', id: 'p', session: undefined };
  const ofSession: Shown = { kind: 'session', id: 's', session };

  it('runs on the stream of the page, or on that of its session', async () => {
    assert.deepEqual(await runOn(ofStream, { command: 'watchStream' }), ['watchStream', 'p']);
    assert.deepEqual(await runOn(ofSession, { command: 'watchStream' }), ['watchStream', 'p']);
    assert.equal(await runOn({ ...ofSession, session: undefined }, { command: 'watchStream' }), undefined);
  });

  it('runs on a session with its stream, since some services know a session only among its stream’s', async () => {
    assert.deepEqual(await runOn(ofSession, { command: 'openRecording' }), ['openRecording', row]);
    assert.deepEqual(await runOn(ofStream, { command: 'openRecording', session: 's' }), ['openRecording', row]);
  });

  it('runs on what the page shows', async () => {
    for (const shown of [ofStream, { ...ofStream, session }]) {
      assert.deepEqual(await runOn(shown, { command: 'openJson' }), ['openJson', 'p']);
    }
    assert.deepEqual(await runOn(ofSession, { command: 'openJson' }), ['openJson', row]);
    assert.deepEqual(await runOn({ ...ofSession, session: undefined }, { command: 'openJson' }), ['openJson', 's']);
  });

  it('runs on the id alone while the session is not known, and on none where no session is named', async () => {
    const unknown: Shown = { ...ofSession, session: undefined };
    assert.deepEqual(await runOn(unknown, { command: 'copySessionId' }), ['copySessionId', 's']);
    assert.equal(await runOn(ofStream, { command: 'openRecording' }), undefined);
  });

  it('runs on a clip with its stream, and only on the page of its session', async () => {
    const asked = { command: 'openClip', target: 'c' } as const;
    assert.deepEqual(await runOn(ofSession, asked), ['openClip', { id: 'c', streamId: 'p' }]);
    assert.equal(await runOn(ofStream, asked), undefined);
    assert.equal(await runOn(ofSession, { command: 'openClip' }), undefined);
  });

  it('runs on one of the multistream targets of a stream, or on the stream to add one', async () => {
    const command = 'addMultistreamTarget';
    assert.deepEqual(await runOn(ofStream, { command }), [command, 'p']);
    assert.deepEqual(await runOn(ofStream, { command, target: 't' }), [command, { id: 'p', targetId: 't' }]);
    assert.equal(await runOn(ofSession, { command, target: 't' }), undefined);
  });

  it('runs without a target where it has none', async () => {
    assert.deepEqual(await runOn(ofStream, { command: 'addConnection' }), ['addConnection']);
  });
});
