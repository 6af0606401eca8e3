import assert from 'node:assert/strict';
import { openAtStart } from '../../../src/model/connection/windowConnection.ts';
import { fakeSecrets } from '../../support/model/fakes.ts';
import { withCommands } from '../commands/fixture.ts';

describe('What a window begins with', () => {
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
      assert.equal(context.current.info?.name, 'Production');
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
      assert.equal(context.current.info?.name, 'One');
      assert.equal(context.store.snapshot.connectionCount, 2);
      assert.deepEqual(reads, ['keys', 'connection/One', 'connection/Two']);
    })();
  });

  it(
    'is what a command opened while the storage was still being read',
    withCommands({ isConnected: false }, async ({ context, service: { baseUrl, apiKey }, demoCalls }) => {
      const opened = { id: 'quick', name: 'Quick', baseUrl, apiKey, insecureAccepted: false };
      const starting = openAtStart(context);
      context.current.open(opened);
      await starting;
      assert.equal(context.current.info?.name, 'Quick');
      await context.connections.noteDemo(true);
      await openAtStart(context);
      assert.deepEqual([context.current.info?.name, demoCalls], ['Quick', []]);
    }),
  );
});
