import assert from 'node:assert/strict';
import { ExportedReads } from '../../../src/agents/exportedReads.ts';
import { withAgents } from './fixture.ts';

describe('What other extensions read', () => {
  it(
    'is the live streams, each with its facts',
    withAgents({}, async ({ context, service }) => {
      const live = service.control.streams().filter(({ isActive, parentId }) => isActive && parentId === undefined);
      const streams = await new ExportedReads(context).listLiveStreams();
      assert.ok(live.length > 1);
      const facts = (each: { readonly id: string; readonly name: string; readonly playbackId?: string | undefined }) =>
        `${each.id} ${each.name} ${each.playbackId}`;
      assert.deepEqual(new Set(streams.map(facts)), new Set(live.map(facts)));
    }),
  );

  it(
    'is one stream by its ID, or by its playback ID whether it is known or not',
    withAgents({}, async ({ context, service }) => {
      const stream = service.control.streams().find(({ isActive, parentId }) => !isActive && parentId === undefined);
      assert.ok(stream?.playbackId !== undefined);
      const reads = new ExportedReads(context);
      for (const reference of [stream.playbackId, stream.id, stream.playbackId]) {
        const found = await reads.getStream(reference);
        assert.deepEqual([found?.id, found?.name], [stream.id, stream.name], reference);
      }
    }),
  );

  it(
    'is one request for a stream that is known, also by its playback ID',
    withAgents({}, async ({ context, requests }) => {
      const known = [...context.store.snapshot.streams.values()].find(({ stream }) => stream.playbackId !== undefined);
      const { id, playbackId } = known?.stream ?? assert.fail();
      assert.equal((await new ExportedReads(context).getStream(playbackId ?? ''))?.id, id);
      assert.deepEqual(requests(), [`GET /api/stream/${id}`]);
    }),
  );

  it(
    'fails with a sentence where the service does',
    withAgents({}, async ({ context, service }) => {
      service.control.fault(() => ({ status: 500, body: '{"errors":["camera-on-the-roof"]}' }));
      const reads = new ExportedReads(context);
      const failing = { message: 'Production responded with an error (500): "camera-on-the-roof."' };
      await assert.rejects(reads.listLiveStreams(), failing);
      await assert.rejects(reads.getStream('abc'), failing);
    }),
  );
});
