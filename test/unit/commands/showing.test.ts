import assert from 'node:assert/strict';
import titles from '../../../package.nls.json' with { type: 'json' };
import { clipNode, recordingNode, sessionNode } from '../../../src/model/rows/nodes.ts';
import { withCommands } from './fixture.ts';

const PICKING = [
  ...['showStream', 'watchStream', 'openPlayerPage', 'openDashboard', 'renameStream', 'suspendStream'],
  ...['turnRecordingOn', 'endBroadcast', 'deleteStream', 'copyStreamKey', 'copyIngestUrl', 'copyPlaybackUrl'],
  ...['showSession', 'openRecording', 'openRecordingInBrowser', 'copyRecordingUrl'],
  ...[
    'downloadMp4',
    'copyMp4Url',
    'copySessionId',
    'copyLink',
    'openJson',
    'copyValue',
    'goToStream',
    'goToLiveStream',
  ],
] as const;

describe('The picker of a command that is run without a row', () => {
  for (const command of PICKING) {
    it(
      `has the title of the command: ${command}`,
      withCommands({}, async ({ run, ui }) => {
        await run(command);
        assert.equal(ui.seen.picks[0]?.title, titles[`command.${command}`].replace('…', ''));
      }),
    );
  }
});

describe('Copy ID or URL', () => {
  it(
    'runs the command that copies what was picked, and nothing when dismissed',
    withCommands({ answers: { picks: ['Stream ID', 'Nowhere else'] } }, async ({ run, ui, service }) => {
      const { id } = service.control.addStream({ name: 'Nowhere else' });
      await run('copyValue');
      assert.deepEqual(ui.seen.copied, [id]);
      await run('copyValue');
      assert.equal(ui.seen.copied.length, 1);
    }),
  );

  it(
    'copies the WHIP URL with the key, and the SRT URL only where one is known',
    withCommands({ answers: { picks: ['WHIP URL (with Key)', 'Nowhere else'] } }, async ({ run, ui, service }) => {
      const { streamKey } = service.control.addStream({ name: 'Nowhere else' });
      await run('copyValue');
      assert.deepEqual(ui.seen.copied, [`${new URL(service.baseUrl).origin}/webrtc/${streamKey}`]);
      const done = 'Copied the WHIP URL for "Nowhere else". It contains the stream key, so keep it private.';
      assert.deepEqual(ui.seen.flashes, [done]);
      const labels = ui.seen.picks[0]?.items.map(({ label }) => label) ?? [];
      assert.ok(!labels.includes('SRT URL (with Key)'), labels.join());
    }),
  );
});

describe('Show Details', () => {
  it(
    'opens a stream that is given by its id, {id} or row',
    withCommands({}, async ({ run, shown, service }) => {
      const [stream] = service.control.streams().filter(({ parentId }) => parentId === undefined);
      const id = stream?.id ?? '';
      await run('showStream', id);
      await run('showStream', { id });
      await run('showStream', { kind: 'stream', id: `active/${id}`, group: 'active', streamId: id });
      assert.deepEqual(shown, [`stream ${id}`, `stream ${id}`, `stream ${id}`]);
    }),
  );

  it(
    'opens a session by its id alone',
    withCommands({}, async ({ run, shown, service }) => {
      const sessions = service.control.streams().flatMap(({ id }) => service.control.sessions(id));
      const id = sessions.at(-1)?.id ?? '';
      await run('showSession', id);
      assert.deepEqual(shown, [`session ${id}`]);
    }),
  );

  it(
    'opens the session of a clip by the row of the clip, in either view',
    withCommands({}, async ({ run, shown, service, ui }) => {
      const [stream] = service.control.streams().filter(({ id }) => service.control.sessions(id).length > 0);
      const streamId = stream?.id ?? '';
      const { id = '' } = service.control.sessions(streamId)[0] ?? {};
      await run('showSession', clipNode(sessionNode('idle', streamId, id), 'c'));
      await run('showSession', clipNode({ ...recordingNode(id, streamId), streamId }, 'c'));
      assert.deepEqual([shown, ui.seen.picks], [[`session ${id} at clip c`, `session ${id} at clip c`], []]);
    }),
  );

  it(
    'says that a stream is gone, and refuses what is no id before any request',
    withCommands({}, async ({ run, shown, ui, requests }) => {
      await run('showStream', '../session');
      assert.deepEqual(requests(), []);
      await run('showStream', 'nobody');
      assert.deepEqual(shown, []);
      const said = ui.seen.messages;
      assert.match(said[0] ?? '', /^This isn't a valid stream or session ID\./);
      assert.deepEqual(said.slice(1), ['"nobody" no longer exists.']);
    }),
  );
});
