import assert from 'node:assert/strict';
import { withCommands } from './fixture.ts';

describe('Opening details in another tab', () => {
  for (const [command, place] of [
    ['showToSide', 'beside'],
    ['showInNewTab', 'new'],
  ] as const) {
    it(
      `shows a stream, and the session of a row: ${command}`,
      withCommands({}, async ({ run, service, shown }) => {
        const stream = service.control.addStream({ name: 'Talk' });
        const session = service.control.addSession(stream.id);
        await run(command, stream.id);
        const row = { kind: 'session', id: `session/${session.id}`, sessionId: session.id, streamId: stream.id };
        await run(command, row);
        assert.deepEqual(shown, [`stream ${stream.id} ${place}`, `session ${session.id} ${place}`]);
      }),
    );
  }
});

describe('Opening a player in another tab', () => {
  for (const [command, place] of [
    ['watchToSide', 'beside'],
    ['watchInNewTab', 'new'],
  ] as const) {
    it(
      `plays a stream, and the recording of a session’s row: ${command}`,
      withCommands({}, async ({ run, service, played }) => {
        const stream = service.control.addStream({ name: 'Talk', isActive: true });
        const recordingUrl = 'https://media.example/a.m3u8';
        const session = service.control.addSession(stream.id, { record: true, recordingStatus: 'ready', recordingUrl });
        await run(command, stream.id);
        await run(command, {
          kind: 'session',
          id: `session/${session.id}`,
          sessionId: session.id,
          streamId: stream.id,
        });
        assert.deepEqual(played, [`stream ${stream.id} ${place}`, `session ${session.id} ${place}`]);
      }),
    );
  }
});
