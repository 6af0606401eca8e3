import assert from 'node:assert/strict';
import { WEBHOOK_EVENTS } from '../../../../src/api/webhooks.ts';
import { makeEnvelope, readEventId } from '../../../../src/model/webhooks/envelope.ts';
import { aLiveStream, aSession, NOW } from '../../../support/model/builders.ts';

describe('The body of an event', () => {
  const JWT = { type: 'jwt', webhookId: undefined, allowedOrigins: [] };
  const stream = aLiveStream({
    ...{ id: 'one', name: 'Keynote', streamKey: 'abcd-efgh-ijkl-mnop', playbackPolicy: JWT },
    ...{ targets: [{ id: 't', profile: 'source' }], tags: { show: 'morning' } },
    ...{ creatorId: 'team', recordingProfiles: [{ name: '720p' }] },
    ...{ sourceSegments: 5, transcodedSegments: 10, sourceBytes: 9000, outgoingRate: 2000 },
  });
  const session = aSession({
    id: 'of-one',
    parentId: 'one',
    record: true,
    recordingStatus: 'waiting',
    recordingUrl: 'https://a/index.m3u8',
    mp4Url: 'https://a/b',
  });
  const read = (event: string, subject = { stream, session }): Record<string, unknown> =>
    JSON.parse(makeEnvelope({ id: 'e', webhookId: 'w', event, createdAt: NOW, timestamp: NOW + 1, subject }));

  it('has the fields of the service, in its order', () => {
    const body = read('stream.started');
    assert.deepEqual(Object.keys(body), ['id', 'webhookId', 'createdAt', 'timestamp', 'event', 'stream']);
    assert.deepEqual(
      { ...body, stream: undefined },
      {
        ...{ id: 'e', webhookId: 'w', createdAt: NOW, timestamp: NOW + 1, event: 'stream.started' },
        stream: undefined,
      },
    );
    assert.equal(readEventId(body), 'e');
  });

  it('has the stream without its key, for each event', () => {
    for (const event of WEBHOOK_EVENTS) {
      const text = JSON.stringify(read(event));
      assert.match(text, /"name":"Keynote"/);
      assert.match(text, /"playbackPolicy":\{"type":"jwt","allowedOrigins":\[\]\}/);
      assert.match(
        text,
        /"multistream":\{"targets":\[\{"id":"t","profile":"source"\}\]\},"userTags":\{"show":"morning"\}/,
      );
      assert.doesNotMatch(text, /abcd-efgh|streamKey/);
    }
  });

  it('names the fields of the stream as the service does', () => {
    const { stream: said } = read('recording.waiting');
    assert.ok(typeof said === 'object' && said !== null);
    const ours = ['targets', 'tags', 'recordingProfiles', 'issues'];
    assert.deepEqual(
      ours.filter((name) => name in said),
      [],
    );
    const fields: Readonly<Record<string, unknown>> = { ...said };
    assert.deepEqual(fields.creatorId, { type: 'unverified', value: 'team' });
    assert.deepEqual(fields.recordingSpec, { profiles: [{ name: '720p' }] });
    const { sourceSegments, transcodedSegments, sourceBytes, outgoingRate } = fields;
    assert.deepEqual([sourceSegments, transcodedSegments, sourceBytes, outgoingRate], [5, 10, 9000, 2000]);
  });

  it('says of the stream what the event says of it, whatever it is at the moment', () => {
    const healthy = { ...stream, isHealthy: true, ingestRate: 1_000, issues: ['Slow'] };
    const idle = { ...healthy, isActive: false };
    const shown = (event: string, of: typeof healthy) => {
      const { stream: said } = read(event, { stream: of, session });
      assert.ok(typeof said === 'object' && said !== null);
      const { isActive, isHealthy, ingestRate, issues }: Partial<typeof healthy> = said;
      return { isActive, isHealthy, ingestRate, issues };
    };
    const ended = { isActive: false, isHealthy: undefined, ingestRate: 0, issues: undefined };
    assert.deepEqual(shown('stream.idle', healthy), ended);
    assert.equal(shown('stream.started', idle).isActive, true);
    assert.deepEqual(shown('recording.ready', healthy), {
      ...{ isActive: true, isHealthy: true, ingestRate: 1_000, issues: ['Slow'] },
    });
  });

  it('has the session of a recording, and its URLs once it is ready', () => {
    const { parentName: _, ...wire } = JSON.parse(JSON.stringify(session));
    const ended = { ...wire, recordingStatus: 'ready', assetId: 'of-one' };
    const { recordingUrl, mp4Url } = wire;
    assert.deepEqual(read('recording.started').payload, { session: wire });
    assert.deepEqual(read('recording.waiting').payload, { session: ended });
    assert.deepEqual(read('recording.ready').payload, { recordingUrl, mp4Url, session: ended });
  });

  it('can be made without a stream, and of one that is known by its name alone', () => {
    const body = JSON.parse(makeEnvelope({ id: 'e', webhookId: '', event: 'asset.ready', createdAt: 1, timestamp: 2 }));
    assert.equal('stream' in body, false);
    assert.equal(body.payload.asset.snapshot.status.phase, 'ready');
    const named = { stream: { id: 'gone', name: 'Gone' } };
    const text = makeEnvelope({ id: 'e', webhookId: '', event: 'x.y', createdAt: 1, timestamp: 2, subject: named });
    assert.deepEqual(JSON.parse(text).stream, { id: 'gone', name: 'Gone' });
  });

  it('is no envelope if it has no ID', () => {
    for (const body of [undefined, null, 'x', [], {}, { id: 5 }]) assert.equal(readEventId(body), undefined);
  });
});
