import assert from 'node:assert/strict';
import type { CommandContext } from '../../../src/commands/context.ts';
import { recordingNode, sessionNode, streamNode, type ViewNode } from '../../../src/model/rows/nodes.ts';
import type { Snapshot } from '../../../src/model/store/snapshot.ts';
import { Hovers } from '../../../src/tree/view/hovers.ts';
import { createLateHovers } from '../../../src/tree/view/lateHovers.ts';
import { escapeMarkdown } from '../../../src/util/markup.ts';
import type { DemoControl } from '../../support/demo/control.ts';
import { aLiveStream, aSnapshot, aStream, aTrouble, HOUR, NOW } from '../../support/model/builders.ts';
import { fakeLog } from '../../support/model/fakes.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { withCommands } from '../commands/fixture.ts';

const live = aLiveStream({ id: 'a', playbackId: 'p1' });

/** Records what is asked for. The service has no pictures. */
function hoverOver(snapshot: Snapshot, node: ViewNode = streamNode('active', 'a')) {
  const asked: string[] = [];
  const hovers = new Hovers({
    store: { snapshot },
    connection: {
      get account() {
        const readThumbnailUrl = async (playbackId: string) => {
          asked.push(`picture of ${playbackId}`);
          return undefined;
        };
        return { readThumbnailUrl, viewerToken: async () => undefined } as never;
      },
    },
    loader: {
      async ensureSessions(streamId) {
        asked.push(`sessions of ${streamId}`);
      },
      async readHealth(streamIds) {
        asked.push(`health of ${streamIds}`);
      },
    },
    transport: { send: () => assert.fail('There is no picture to fetch') },
    clock: heldClock(),
    log: fakeLog(),
  });
  return { loading: hovers.load(node, new AbortController().signal), asked };
}

describe('Pointing at a stream', () => {
  it('asks for the picture of a live stream and since when it is live', async () => {
    const { loading, asked } = hoverOver(aSnapshot({ streams: [live] }));
    assert.equal(await loading?.more, undefined);
    await loading?.facts;
    assert.deepEqual(asked.toSorted(), ['picture of p1', 'sessions of a']);
  });

  it('asks whether a stream that is sent elsewhere too arrives there', async () => {
    const { loading, asked } = hoverOver(
      aSnapshot({ streams: [aLiveStream({ id: 'a', targets: [{ id: 't1', profile: 'source' }] })] }),
    );
    await loading?.facts;
    assert.deepEqual(asked.toSorted(), ['health of a', 'sessions of a']);
  });

  it('asks for the sessions of a live stream without a playback ID alone', async () => {
    const { loading, asked } = hoverOver(aSnapshot({ streams: [aLiveStream({ id: 'a' })] }));
    assert.equal(await loading?.more, undefined);
    assert.deepEqual(asked, ['sessions of a']);
  });

  it('asks for nothing where nothing is live, or the service cannot be reached', () => {
    for (const snapshot of [
      aSnapshot({ streams: [aStream({ id: 'a', playbackId: 'p1' })] }),
      aSnapshot({ streams: [{ ...live, lastSeen: NOW - HOUR }] }),
      aSnapshot({ streams: [live], trouble: aTrouble('network') }),
      aSnapshot(),
    ]) {
      const { loading, asked } = hoverOver(snapshot);
      assert.equal(loading, undefined);
      assert.deepEqual(asked, []);
    }
  });
});

/** A stream whose sessions are listed, one of which failed. */
async function aFailure(control: DemoControl, { loader, connection }: CommandContext) {
  const stream = control.streams().find(({ name }) => name === 'Keynote') ?? assert.fail();
  const { id } = control.sessions(stream.id).find((each) => each.recordingStatus === 'failed') ?? assert.fail();
  const { id: fine } = control.sessions(stream.id).find((each) => each.recordingStatus === 'ready') ?? assert.fail();
  await connection.account.readStream(stream.id, { pin: true });
  await loader.ensureSessions(stream.id);
  return { stream, id, fine };
}

describe('Pointing at a session', () => {
  it(
    'says why its recording failed, in both views, and asks the service once',
    withCommands({}, async ({ service, context, requests }) => {
      const { stream, id, fine } = await aFailure(service.control, context);
      await context.loader.ensureRecordings();
      const load = createLateHovers({ ...context, transport: { send: () => assert.fail('It has no picture') } });
      const point = async (node: ViewNode) => (await load(node, new AbortController().signal))?.more;
      const why = { below: escapeMarkdown('The service reports: Could not write the recording to storage.') };
      assert.deepEqual(await point(sessionNode('idle', stream.id, id)), why);
      assert.deepEqual(await point(recordingNode(id, stream.id)), why);
      assert.equal(await point(sessionNode('idle', stream.id, fine)), undefined);
      assert.equal(requests().filter((line) => line.includes('/asset/')).length, 1);
    }),
  );

  it(
    'says nothing more where the service gives no reason, and asks again',
    withCommands({}, async ({ service, context, requests }) => {
      const { stream, id } = await aFailure(service.control, context);
      service.control.fault(({ path }) => (path.includes('/asset/') ? { status: 404, body: '{}' } : undefined));
      const load = createLateHovers({ ...context, transport: { send: () => assert.fail('It has no picture') } });
      const node = sessionNode('idle', stream.id, id);
      for (let at = 0; at < 2; at += 1)
        assert.equal(await (await load(node, new AbortController().signal))?.more, undefined);
      assert.equal(requests().filter((line) => line.includes('/asset/')).length, 2);
    }),
  );
});
