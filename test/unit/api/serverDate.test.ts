import assert from 'node:assert/strict';
import { inferServerDate } from '../../../src/api/calls.ts';
import { isStale } from '../../../src/model/store/streams.ts';
import { aFact, aLiveStream, aStream, HOUR, MINUTE, NOW, SECOND } from '../../support/model/builders.ts';
import { NOW as ANSWERED, apiOver } from './support.ts';

/** Which of streams with these ages are stale, by an answer with that Date header. */
function staleOf(ages: readonly number[], date: number | undefined): readonly boolean[] {
  const streams = ages.map((age, n) => aLiveStream({ id: `${n}`, lastSeen: NOW - age }));
  const serverDate = inferServerDate({ date, answeredAt: NOW }, streams);
  return streams.map((stream) => isStale(aFact(stream, { serverDate })));
}

const BEHIND = [3 * HOUR, 3 * HOUR + 5 * SECOND, 3 * HOUR + 4 * MINUTE];

describe('The clock of staleness', () => {
  it('is the Date header where it agrees with the local clock', () => {
    assert.deepEqual(staleOf([5 * SECOND, 4 * MINUTE], NOW), [false, true]);
    assert.deepEqual(staleOf(BEHIND, NOW), [true, true, true], 'nothing arrives anywhere');
    assert.deepEqual(staleOf([60 * SECOND], NOW + MINUTE), [true]);
  });

  it('is the newest data where there is no Date header: a service may be hours behind', () => {
    assert.deepEqual(staleOf(BEHIND, undefined), [false, false, true]);
    assert.deepEqual(staleOf([5 * SECOND, 4 * MINUTE], undefined), [false, true]);
  });

  it('is the one nearer to the data where Date header and local clock differ', () => {
    assert.deepEqual(staleOf(BEHIND, NOW - 3 * HOUR), [false, false, true], 'the local clock is wrong');
    assert.deepEqual(staleOf([5 * SECOND, 4 * MINUTE], NOW + 3 * HOUR), [false, true], 'the header is wrong');
    assert.deepEqual(staleOf([5 * SECOND, 4 * MINUTE], 0), [false, true]);
  });

  it('leaves out data from the far future, and streams that are not active', () => {
    const future = aLiveStream({ id: 'f', lastSeen: Date.UTC(9999, 0) });
    const behind = aLiveStream({ id: 'b', lastSeen: NOW - 3 * HOUR });
    const idle = aStream({ id: 'i', lastSeen: NOW });
    assert.equal(inferServerDate({ date: undefined, answeredAt: NOW }, [future, behind, idle]), NOW - 3 * HOUR);
    assert.equal(inferServerDate({ date: undefined, answeredAt: NOW }, [future, idle]), NOW);
    assert.equal(inferServerDate({ date: NOW - HOUR, answeredAt: NOW }, []), NOW - HOUR);
  });

  it('goes with lists, with unchanged lists, and with single streams', async () => {
    const row = { id: 'a', isActive: true, lastSeen: ANSWERED - 3 * HOUR };
    const { api } = apiOver(({ url, headers }) =>
      headers['if-none-match'] ? { status: 304 } : { body: url.endsWith('/a') ? row : [row], headers: { etag: '"1"' } },
    );
    const options = { conditional: true };
    const dates = [
      (await api.listStreams({ parentsOnly: true }, options)).serverDate,
      (await api.listStreams({ parentsOnly: true }, options)).serverDate,
      (await api.getStream('a')).serverDate,
    ];
    assert.deepEqual(dates, Array(3).fill(ANSWERED - 3 * HOUR));
  });
});
