import assert from 'node:assert/strict';
import { WEBHOOK_EVENTS } from '../../../../src/api/webhooks.ts';
import { makeEnvelope, readEventId } from '../../../../src/model/webhooks/envelope.ts';
import { aLiveStream, aSession, NOW } from '../../../support/model/builders.ts';

describe('The body of an event', () => {
  const JWT = { type: 'jwt', webhookId: undefined, allowedOrigins: [] };
  const stream = aLiveStream({ id: 'one', name: 'Keynote', streamKey: 'abcd-efgh-ijkl-mnop', playbackPolicy: JWT });
  const session = aSession({
    id: 'of-one',
    parentId: 'one',
    record: true,
    recordingStatus: 'ready',
    mp4Url: 'https://a/b',
  });
  const read = (event: string, subject = { stream, session }): Record<string, unknown> =>
    JSON.parse(makeEnvelope({ id: 'e', webhookId: 'w', event, createdAt: NOW, timestamp: NOW + 1, subject }));

  it('has the fields of the service, in its order', () => {
    const body = read('stream.started');
    assert.deepEqual(Object.keys(body), ['id', 'webhookId', 'createdAt', 'timestamp', 'event', 'stream', 'payload']);
    assert.deepEqual(
      { ...body, stream: undefined },
      {
        ...{ id: 'e', webhookId: 'w', createdAt: NOW, timestamp: NOW + 1, event: 'stream.started', payload: {} },
        stream: undefined,
      },
    );
    assert.equal(readEventId(body), 'e');
  });

  it('has the stream without its key, for each event', () => {
    for (const event of WEBHOOK_EVENTS) {
      const text = JSON.stringify(read(event));
      assert.match(text, /"name":"Keynote"/);
      assert.match(text, /"playbackPolicy":\{"type":"jwt"\}/);
      assert.doesNotMatch(text, /abcd-efgh|streamKey/);
    }
  });

  it('has the session of a recording', () => {
    const { payload } = read('recording.ready');
    assert.deepEqual((payload as { session: { id: string; recordingStatus: string; mp4Url: string } }).session, {
      ...JSON.parse(JSON.stringify(session)),
    });
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
