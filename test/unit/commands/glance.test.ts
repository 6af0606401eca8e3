import assert from 'node:assert/strict';
import { liveStreams } from '../../../src/model/store/streams.ts';
import { streamIcon } from '../../../src/texts/streams.ts';
import { withCommands } from './fixture.ts';

describe('Go to Live Stream', () => {
  it(
    'looks, offers the live streams alone, and goes to the one that is picked',
    withCommands({ demo: { liveCount: 2 } }, async ({ run, ui, service, requests }) => {
      const added = service.control.addStream({ name: 'Just now', isActive: true, record: true });
      ui.answers.picks.push('Just now');
      await run('goToLiveStream');
      assert.ok(decodeURIComponent(requests()[0] ?? '').includes('"isActive","value":true'));
      assert.equal(ui.seen.picks[0]?.items.length, 3);
      const item = ui.seen.picks[0]?.items.find(({ label }) => label === 'Just now');
      assert.equal(item?.description, 'recording');
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: added.id }]);
      assert.ok(added.streamKey && !JSON.stringify(ui.seen.picks).includes(added.streamKey));
    }),
  );

  it(
    'says that no stream is live, and goes nowhere',
    withCommands({ demo: { liveCount: 0 }, answers: { picks: ['No live streams'] } }, async ({ run, ui }) => {
      await run('goToLiveStream');
      assert.deepEqual([ui.seen.reveals, ui.seen.said], [[], []]);
      assert.equal(ui.seen.picks.length, 1);
    }),
  );

  it(
    'says why it could not look, below what is known',
    withCommands({ demo: { liveCount: 1 } }, async ({ run, ui, service, context }) => {
      service.control.fault(() => ({ status: 403, body: '{"errors":["suspended"]}' }));
      const [live] = liveStreams(context.store.snapshot);
      assert.ok(live);
      const iconInTree = streamIcon('live', live.stream).id;
      await run('goToLiveStream');
      assert.deepEqual(
        ui.seen.picks[0]?.items.map(({ icon }) => icon),
        [iconInTree, 'info'],
      );
      assert.equal(
        ui.seen.picks[0]?.items[1]?.label,
        "This API key doesn't have permission to do that. The service responded: suspended.",
      );
    }),
  );

  it(
    'needs a connection',
    withCommands({ isConnected: false }, async ({ run, ui, context }) => {
      context.current.close();
      await run('goToLiveStream');
      assert.equal(ui.seen.said[0]?.message, 'Connect to a service first.');
    }),
  );
});
