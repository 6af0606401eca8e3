import assert from 'node:assert/strict';
import { connectActions } from '../../../../src/model/connection/connectActions.ts';
import { DEMO_ID } from '../../../../src/model/connection/current.ts';
import type { ConnectionState } from '../../../../src/model/store/snapshot.ts';
import { aConnection } from '../../../support/model/builders.ts';

describe('What belongs to a connection that is not open', () => {
  const none: ConnectionState = { kind: 'none' };
  const stored: ConnectionState = { kind: 'open', info: aConnection() };
  const demo: ConnectionState = { kind: 'open', info: aConnection({ id: DEMO_ID, isDemo: true }) };
  const ways = (connection: ConnectionState, connectionCount: number, names: readonly string[] = []) => {
    const connectionNames = new Map(names.map((id) => [id, `The name of ${id}`]));
    return connectActions({ connection, connectionCount, connectionNames }, 'own');
  };

  it('offers to open its own, while that is stored', () => {
    assert.deepEqual(ways(stored, 2, ['own', 'other']), ['openOwnConnection']);
    assert.deepEqual(ways(stored, 2, ['other']), ['switchConnection']);
  });

  it('offers to switch where there is a connection to switch to', () => {
    assert.deepEqual(ways(none, 1), ['switchConnection']);
    assert.deepEqual(ways(stored, 2), ['switchConnection']);
    assert.deepEqual(ways(demo, 1), ['switchConnection']);
  });

  it('offers to connect, or to try the demo, where there is none', () => {
    assert.deepEqual(ways(none, 0), ['addConnection', 'startDemo']);
    assert.deepEqual(ways(demo, 0), ['addConnection', 'startDemo']);
    assert.deepEqual(ways(stored, 1), ['addConnection', 'startDemo']);
  });
});
