import assert from 'node:assert/strict';
import { isRetryPause, lastTryOf, mayBeRetried } from '../../../../src/model/webhooks/retries.ts';
import { HOUR, MINUTE, NOW, SECOND } from '../../../support/model/builders.ts';
import { aDelivery, deliveryDetails } from '../../../support/model/fakeWebhooks.ts';

const REQUEST = { url: 'https://a.example', method: 'POST', headers: {}, body: JSON.stringify({ createdAt: NOW }) };
const failed = (after: number, parts = {}) =>
  deliveryDetails({
    ...{ id: `d${after}`, isSuccess: false, statusCode: 500, streamId: 's1', duration: 0, createdAt: NOW + after },
    ...{ request: REQUEST, ...parts },
  });

describe('What the service repeats', () => {
  it('may be repeated until its next try is overdue, and for about a day', () => {
    for (const [delivery, after, expected] of [
      [failed(0), 10 * SECOND, true],
      [failed(0), 5 * MINUTE, false],
      [failed(35 * MINUTE), 60 * MINUTE, true],
      [failed(35 * MINUTE), 90 * MINUTE, false],
      [failed(23 * HOUR), 23.9 * HOUR, true],
      [failed(24.9 * HOUR), 25.1 * HOUR, false],
      [failed(0, { statusCode: 404 }), 1, false],
      [failed(0, { statusCode: undefined }), 1, true],
      [failed(0, { request: undefined }), 10 * SECOND, true],
      [failed(0, { isSuccess: true, statusCode: 200 }), 1, false],
    ] as const) {
      assert.equal(mayBeRetried(delivery, delivery, NOW + after), expected, `${delivery.id} ${after}`);
    }
    assert.equal(mayBeRetried(failed(0), failed(35 * MINUTE), NOW + HOUR), true, 'by its last try');
  });

  it('has its last try at the pauses of the service, about the same event and stream', () => {
    const tries = [failed(5 * SECOND), failed(15 * SECOND), failed(35 * SECOND)];
    const others = [
      aDelivery({ ...failed(5 * SECOND), id: 'event', event: 'stream.idle', isSuccess: true }),
      aDelivery({ ...failed(5 * SECOND), id: 'stream', streamId: 's2', isSuccess: true }),
      aDelivery({ ...failed(23.5 * SECOND), id: 'resent', isSuccess: true }),
      aDelivery({ ...failed(-5 * SECOND), id: 'before', isSuccess: true }),
    ];
    assert.equal(lastTryOf(failed(0), [...tries.toReversed(), ...others]).id, 'd35000');
    assert.equal(lastTryOf(failed(0), others).id, 'd0', 'no other');
    const good = aDelivery({ ...failed(15 * SECOND), id: 'good', isSuccess: true });
    assert.equal(
      lastTryOf(failed(0), [failed(35 * SECOND), good, failed(5 * SECOND)]).id,
      'good',
      'nothing follows it',
    );
    assert.equal(lastTryOf(failed(0, { statusCode: 404 }), tries).id, 'd0', 'it is not tried again');
    const unknown = failed(0, { streamId: undefined });
    assert.equal(lastTryOf(unknown, [failed(5 * SECOND, { streamId: undefined })]), unknown);
  });

  it('is repeated after pauses that double up to an hour', () => {
    for (const seconds of [5, 10, 20, 40, 2560, 3600]) assert.ok(isRetryPause(seconds * SECOND), `${seconds} s`);
    for (const seconds of [1, 15, 100, 4000]) assert.ok(!isRetryPause(seconds * SECOND), `${seconds} s`);
  });
});
