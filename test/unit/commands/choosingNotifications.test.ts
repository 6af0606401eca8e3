import assert from 'node:assert/strict';
import { withCommands } from './fixture.ts';

describe('Configure Notifications', () => {
  it(
    'shows a box for each event, checked if the setting has it, and writes what was checked',
    withCommands({}, async ({ context, ui, run, written }) => {
      Object.assign(context.settings, { notifications: () => new Set(['streamEnded']) });
      ui.answers.picksMany.push(['A recording is ready to watch', 'A stream goes live']);
      await run('chooseNotifications');
      assert.deepEqual(
        ui.seen.picks[0]?.items.map((item) => [item.label, 'isPicked' in item && item.isPicked]),
        [
          ['A stream goes live', false],
          ['A broadcast ends', true],
          ['A recording is ready to watch', false],
        ],
      );
      assert.deepEqual(written, [['streamStarted', 'recordingReady']]);
      assert.deepEqual(ui.seen.flashes, ['Notifications are on']);
    }),
  );

  it(
    'says that none will come while automatic refresh is off',
    withCommands({}, async ({ context, ui, run, written }) => {
      Object.assign(context.settings, { refreshInterval: () => 0 });
      await run('chooseNotifications', { kinds: ['streamEnded'] });
      assert.deepEqual(written, [['streamEnded']]);
      assert.deepEqual(ui.seen.said, [
        {
          severity: 'warning',
          message:
            "Notifications are on, but automatic refresh is off, so they're shown only after you refresh or while you listen for webhook events.",
          actions: ['Open Settings'],
        },
      ]);
      await run('chooseNotifications', { kinds: [] });
      assert.deepEqual(ui.seen.flashes, ['Notifications are off']);
    }),
  );

  it(
    'writes nothing when it is dismissed',
    withCommands({}, async ({ run, written }) => {
      await run('chooseNotifications');
      assert.deepEqual(written, []);
    }),
  );

  it(
    'needs no connection, and takes the kinds as an argument',
    withCommands({ isConnected: false }, async ({ ui, run, written }) => {
      await run('chooseNotifications', { kinds: ['recordingReady'] });
      await run('chooseNotifications', { kinds: [] });
      await run('chooseNotifications', { kinds: ['recordingReady', 'other'] });
      assert.deepEqual(written, [['recordingReady'], []]);
      assert.deepEqual(ui.seen.flashes, ['Notifications are on', 'Notifications are off']);
      assert.match(
        ui.seen.said[0]?.message ?? '',
        /^Specify notifications as a list of streamStarted, streamEnded, or recordingReady\./,
      );
    }),
  );

  it(
    'keeps what was chosen when the settings cannot be written',
    withCommands({}, async ({ context, ui, run, written }) => {
      const { writeNotifications } = context.settings;
      const fails = async () => {
        Object.assign(context.settings, { writeNotifications });
        throw new Error('no');
      };
      Object.assign(context.settings, { writeNotifications: fails });
      ui.answers.presses.push('Retry');
      await run('chooseNotifications', { kinds: ['streamEnded'] });
      assert.match(ui.seen.said[0]?.message ?? '', /Couldn't save/);
      assert.deepEqual(written, [['streamEnded']]);
    }),
  );
});
