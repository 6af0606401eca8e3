import assert from 'node:assert/strict';
import { runAnnounced } from '../../../src/commands/notificationCommands.ts';
import { aConnection } from '../../support/model/builders.ts';
import { type Fixture, withCommands } from './fixture.ts';

function openInfo({ context }: Fixture) {
  const { info } = context.connection;
  assert.ok(info);
  return info;
}

describe('The button of a notification', () => {
  it(
    'watches the stream',
    withCommands({}, async (fixture) => {
      const { service, context, played } = fixture;
      const stream = service.control.addStream({ name: 'Keynote', isActive: true });
      await runAnnounced(context, { kind: 'watch', streamId: stream.id }, openInfo(fixture));
      assert.deepEqual(played, [`stream ${stream.id}`]);
    }),
  );

  it(
    'opens the browser where that is to play',
    withCommands({ playIn: 'browser' }, async (fixture) => {
      const { service, context, ui, played } = fixture;
      const stream = service.control.addStream({ name: 'Keynote', isActive: true });
      await runAnnounced(context, { kind: 'watch', streamId: stream.id }, openInfo(fixture));
      assert.equal(ui.seen.opened.length, 1);
      assert.ok(stream.playbackId && ui.seen.opened[0]?.includes(stream.playbackId));
      assert.deepEqual(played, []);
    }),
  );

  for (const face of ['full', 'strict'] as const) {
    it(
      `opens the recording, on a service that is ${face}`,
      withCommands({ demo: { face } }, async (fixture) => {
        const { service, context, ui, played } = fixture;
        const ready = service.control
          .streams()
          .flatMap(({ id }) => service.control.sessions(id))
          .find((session) => session.recordingStatus === 'ready');
        assert.ok(ready);
        const act = { kind: 'openRecording', streamId: ready.parentId, sessionId: ready.id } as const;
        await runAnnounced(context, act, openInfo(fixture));
        assert.deepEqual([ui.seen.said, played], [[], [`session ${ready.id}`]]);
        assert.deepEqual(fixture.steps, ['watch'], 'of the walkthrough');
      }),
    );
  }

  it(
    'says where the news was from when another connection is open, and opens nothing',
    withCommands({}, async ({ context, ui, requests }) => {
      await runAnnounced(context, { kind: 'watch', streamId: 'a' }, aConnection({ id: 'other', name: 'Staging' }));
      assert.equal(ui.seen.said[0]?.message, 'This item belongs to "Staging", which isn\'t the current connection.');
      assert.deepEqual(ui.seen.said[0]?.actions, ['Switch to "Staging"']);
      assert.deepEqual([requests(), ui.seen.opened], [[], []]);
    }),
  );

  it(
    'offers the demo where the news was from it and it is off',
    withCommands({}, async ({ context, ui, demoCalls }) => {
      ui.answers.presses.push('Try the Demo');
      const demo = aConnection({ id: 'demo', name: 'Demo', isDemo: true });
      await runAnnounced(context, { kind: 'watch', streamId: 'a' }, demo);
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(ui.seen.said[0]?.message, "This item is from the demo, which isn't running.");
      assert.deepEqual(demoCalls, ['start']);
    }),
  );
});
