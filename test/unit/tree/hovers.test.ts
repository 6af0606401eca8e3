import assert from 'node:assert/strict';
import { streamNode } from '../../../src/model/rows/nodes.ts';
import type { Snapshot } from '../../../src/model/store/snapshot.ts';
import { createHovers } from '../../../src/tree/view/hovers.ts';
import { aLiveStream, aSnapshot, aStream, aTrouble, HOUR, NOW } from '../../support/model/builders.ts';
import { fakeLog } from '../../support/model/fakes.ts';
import { heldClock } from '../../support/model/heldClock.ts';

const live = aLiveStream({ id: 'a', playbackId: 'p1' });

/** Records what is asked for. The service has no pictures. */
function hoverOver(snapshot: Snapshot, id = 'a') {
  const asked: string[] = [];
  const hover = createHovers({
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
  return { loading: hover(streamNode('active', id), new AbortController().signal), asked };
}

describe('Pointing at a stream', () => {
  it('asks for the picture of a live stream and since when it is live', async () => {
    const { loading, asked } = hoverOver(aSnapshot({ streams: [live] }));
    assert.equal(await loading?.picture, undefined);
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
    assert.equal(await loading?.picture, undefined);
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
