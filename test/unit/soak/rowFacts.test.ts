import assert from 'node:assert/strict';
import { servedFacts, shownFacts } from '../../soak/rowFacts.ts';
import { aFact, aSnapshot, aStream, DAY, HOUR, MINUTE, NOW, SECOND } from '../../support/model/builders.ts';
import { streamRow } from '../tree/drawnTree.ts';

const booleans = [false, true];
const AGES = [1, 20 * SECOND, 80 * SECOND, 100 * SECOND, 4 * MINUTE, 3 * HOUR, 400 * DAY, NOW];

/** Every state in which the service can have a stream, as a service of this face sends it. */
function* everyStream(face: string) {
  for (const isActive of booleans) {
    for (const record of booleans) {
      for (const suspended of booleans) {
        for (const isHealthy of booleans) {
          for (const age of AGES) {
            const served = { isActive, record, suspended, isHealthy, lastSeen: NOW - age };
            const lastSeen = served.lastSeen === 0 ? undefined : served.lastSeen;
            const sent = { isActive, record, lastSeen, ...(face === 'strict' ? {} : { suspended, isHealthy }) };
            // What is live has been seen.
            if (!isActive || lastSeen !== undefined) yield { served, stream: aStream({ id: 'one', ...sent }) };
          }
        }
      }
    }
  }
}

describe('What the soak expects of a row', () => {
  for (const face of ['full', 'strict', 'indifferent']) {
    it(`is what the row of each stream says, whatever its state (${face})`, () => {
      const seen = new Set<string>();
      for (const { served, stream } of everyStream(face)) {
        const { description = '' } = streamRow(aSnapshot({ streams: [aFact(stream, { serverDate: NOW })] }), 'one');
        const expected = servedFacts(served, face, NOW);
        assert.equal(shownFacts(description), expected, `${description}: ${JSON.stringify(served)}`);
        seen.add(expected);
      }
      // Live, recording or not, healthy or not; stale; idle; each suspended or not.
      assert.equal(seen.size, face === 'strict' ? 4 : 12);
    });
  }

  it('is told from each other state', () => {
    const stream = { isActive: true, isHealthy: null, record: true, suspended: true, lastSeen: NOW };
    assert.equal(servedFacts(stream, 'full', NOW), 'live, recording, suspended');
    assert.equal(shownFacts('suspended · still live · recording'), 'live, recording, suspended');
    assert.equal(shownFacts('live · recording'), 'live, recording');
    assert.equal(shownFacts('suspended'), 'idle, suspended');
    for (const other of ['', 'Deleting…', 'gone', 'live · 3 h ago', 'live · never live']) {
      assert.equal(shownFacts(other), other);
    }
  });
});
