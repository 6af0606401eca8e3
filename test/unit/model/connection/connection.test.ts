import assert from 'node:assert/strict';
import type { Account } from '../../../../src/model/account/account.ts';
import { connectActions } from '../../../../src/model/connection/connectActions.ts';
import { Connection, DEMO_ID } from '../../../../src/model/connection/connection.ts';
import type { ConnectionState } from '../../../../src/model/store/snapshot.ts';
import { StreamStore } from '../../../../src/model/store/store.ts';
import { aConnection } from '../../../support/model/builders.ts';
import { composeModel } from '../../../support/model/composedModel.ts';
import { heldClock } from '../../../support/model/heldClock.ts';

describe('The connection that a window has open', () => {
  const one = { id: '1', name: 'One', baseUrl: 'https://one.example', apiKey: 'key', insecureAccepted: false };
  const compose = () => {
    const connection = new Connection(new StreamStore({ clock: heldClock() }));
    const attached: (Account | undefined)[] = [];
    const { account } = connected();
    const made: string[] = [];
    const openAccount = ({ baseUrl }: { readonly baseUrl: string }) => {
      made.push(baseUrl);
      return account;
    };
    const serve = () => connection.serve({ openAccount, loader: { attach: (given) => void attached.push(given) } });
    return { connection, attached, made, account, serve };
  };
  const connected = () => {
    const { connect, connection } = composeModel();
    connect();
    return connection;
  };

  it('is known before its account can be opened, and gets its account later', () => {
    const { connection, attached, made, account, serve } = compose();
    connection.open(one);
    assert.equal(connection.info?.name, 'One');
    assert.throws(() => connection.account, { tag: 'NoConnectionError' });
    serve();
    assert.deepEqual(made, ['https://one.example']);
    assert.equal(connection.account, account);
    assert.deepEqual(attached, [account]);
  });

  it('is asked with no more once it is closed', () => {
    const { connection, attached, made, account, serve } = compose();
    serve();
    connection.open(one);
    connection.close();
    assert.deepEqual(attached, [undefined, account, undefined]);
    assert.throws(() => connection.account, { tag: 'NoConnectionError' });
    assert.equal(made.length, 1);
    assert.ok(account.isClosed);
  });
});

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
