import assert from 'node:assert/strict';
import { readSpoken, servedFacts } from '../../soak/rowFacts.ts';
import { aFact, aSnapshot, aStream, DAY, HOUR, MINUTE, NOW, SECOND } from '../../support/model/builders.ts';
import { streamRow } from '../tree/drawnTree.ts';

const booleans = [false, true];
const AGES = [1, 20 * SECOND, 80 * SECOND, 100 * SECOND, 4 * MINUTE, 3 * HOUR, 400 * DAY, NOW];

/** Every state in which the service can have a stream, as a service of this variant sends it. */
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
        const { accessibilityLabel } = streamRow(aSnapshot({ streams: [aFact(stream, { serverDate: NOW })] }), 'one');
        const expected = servedFacts(served, face, NOW);
        const said = readSpoken(accessibilityLabel);
        assert.deepEqual(said, { name: 'one', facts: expected }, `${accessibilityLabel}: ${JSON.stringify(served)}`);
        seen.add(expected);
      }
      // Live, recording or not, healthy or not; stale; idle, recording on or not; suspended, live or not, recording on or not.
      assert.equal(seen.size, face === 'strict' ? 5 : 11);
    });
  }

  it('is told from each other state', () => {
    const stream = { isActive: true, isHealthy: null, record: true, suspended: true, lastSeen: NOW };
    assert.equal(servedFacts(stream, 'full', NOW), 'live, recording on, suspended');
    const suspended = { name: 'one, two', facts: 'live, recording on, suspended' };
    assert.deepEqual(readSpoken('one, two, suspended, still live, recording on'), suspended);
    assert.equal(readSpoken('one, live, recording').facts, 'live, recording');
    for (const fault of ['1 problem', '2 problems', 'Twitch failing']) {
      assert.deepEqual(readSpoken(`one, live, ${fault}, recording`), { name: 'one', facts: 'live, recording' });
    }
    assert.equal(readSpoken('one, suspended').facts, 'idle, suspended');
    for (const other of ['', 'one, Deleting…', 'one, gone', 'one, live, 3 hours ago', 'one, live, never live']) {
      assert.equal(readSpoken(other).facts, other);
    }
  });
});
