import assert from 'node:assert/strict';
import { followConnections, openAtStart } from '../../../../src/model/connection/windowConnection.ts';
import { fakeSecrets } from '../../../support/model/fakes.ts';
import { heldClock, settle } from '../../../support/model/heldClock.ts';
import { type Fixture, withCommands } from '../../commands/fixture.ts';

describe('The first connection of a window', () => {
  it(
    'is nothing where nothing is stored',
    withCommands({ isConnected: false }, async ({ context }) => {
      assert.equal(context.store.snapshot.connection.kind, 'starting');
      await openAtStart(context);
      assert.equal(context.store.snapshot.connection.kind, 'none');
    }),
  );

  it(
    'is the connection that is stored',
    withCommands({ isConnected: false }, async ({ context, service: { baseUrl, apiKey } }) => {
      await context.connections.add({ name: 'Production', baseUrl, apiKey, insecureAccepted: false });
      await openAtStart(context);
      assert.equal(context.connection.info?.name, 'Production');
    }),
  );

  it('is read from the secret storage once', async () => {
    const { values, window } = fakeSecrets();
    const secret = { baseUrl: 'https://s.test/api', apiKey: 'k3y', insecureAccepted: false };
    for (const name of ['One', 'Two']) values.set(`connection/${name}`, JSON.stringify({ ...secret, name }));
    const storage = window();
    const reads: string[] = [];
    const secrets = {
      keys: () => storage.keys().finally(() => reads.push('keys')),
      get: (key: string) => storage.get(key).finally(() => reads.push(key)),
    };
    await withCommands({ isConnected: false, secrets }, async ({ context }) => {
      await openAtStart(context);
      assert.equal(context.connection.info?.name, 'One');
      assert.equal(context.store.snapshot.connectionCount, 2);
      assert.deepEqual([...context.store.snapshot.connectionNames.values()], ['One', 'Two']);
      assert.deepEqual(reads, ['keys', 'connection/One', 'connection/Two']);
    })();
  });

  it(
    'is what a command opened while the storage was still being read',
    withCommands({ isConnected: false }, async ({ context, service: { baseUrl, apiKey }, demoCalls }) => {
      const opened = { id: 'quick', name: 'Quick', baseUrl, apiKey, insecureAccepted: false };
      const starting = openAtStart(context);
      context.connection.open(opened);
      await starting;
      assert.equal(context.connection.info?.name, 'Quick');
      await context.connections.noteDemo(true);
      await openAtStart(context);
      assert.deepEqual([context.connection.info?.name, demoCalls], ['Quick', []]);
    }),
  );
});

type Changed = Pick<Fixture, 'context'> & { readonly secretClock: ReturnType<typeof heldClock> };

describe('A window whose connection is changed in another', () => {
  const SECRET = { name: 'Studio', baseUrl: 'https://s.test/api', apiKey: 'k3y', insecureAccepted: false };

  /** Follows an open connection whose key is then changed in another window, which is read as `get` says. */
  async function change(get: (stored: string) => Promise<string>, test: (fixture: Changed) => Promise<void>) {
    const { values, window } = fakeSecrets();
    values.set('connection/one', JSON.stringify(SECRET));
    const [mine, other, secretClock] = [window(), window(), heldClock()];
    let isChanged = false;
    const read = async (key: string) => {
      const stored = await mine.get(key);
      return isChanged && stored !== undefined ? get(stored) : stored;
    };
    const secrets = { keys: mine.keys, get: read, onDidChange: mine.onDidChange };
    await withCommands({ isConnected: false, secrets, secretClock }, async ({ context }) => {
      await openAtStart(context);
      const following = followConnections({ ...context, log: context.log });
      isChanged = true;
      await other.store('connection/one', JSON.stringify({ ...SECRET, name: 'Renamed' }));
      await settle();
      await test({ context, secretClock });
      following.dispose();
    })();
  }

  it('has its change as soon as the secret storage answers, and stays open meanwhile', async () => {
    const answer = Promise.withResolvers<void>();
    const late = (stored: string) => answer.promise.then(() => stored);
    await change(late, async ({ context, secretClock }) => {
      await secretClock.advance(60_000);
      assert.deepEqual([context.connection.isOpen, context.connection.info?.name], [true, 'Studio']);
      answer.resolve();
      await settle();
      assert.deepEqual([context.connection.isOpen, context.connection.info?.name], [true, 'Renamed']);
    });
  });

  it('stays as it is where the secret storage refuses', async () => {
    const refuse = () => Promise.reject(new Error('locked'));
    await change(refuse, async ({ context }) => {
      assert.deepEqual([context.connection.isOpen, context.connection.info?.name], [true, 'Studio']);
    });
  });
});
